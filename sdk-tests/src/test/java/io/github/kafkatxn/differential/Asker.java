package io.github.kafkatxn.differential;

import java.io.IOException;

/** Sends the request of a step and puts the answer into comparable words: the error first, then what it carries. */
interface Asker {
    String ask(Step step, Names names, Wire wire) throws IOException;
}
