package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.api.ApiRegistry;
import io.github.kafkatxn.cluster.internal.api.Authorizer;
import io.github.kafkatxn.cluster.internal.api.ControllerAccess;
import io.github.kafkatxn.cluster.internal.api.Handlers;
import io.github.kafkatxn.cluster.internal.api.NodeContext;
import io.github.kafkatxn.cluster.internal.api.TopicCreation;
import io.github.kafkatxn.cluster.internal.fault.Interceptor;
import io.github.kafkatxn.cluster.internal.group.GroupCoordinator;
import io.github.kafkatxn.cluster.internal.log.LedPartitions;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.ClusterClock;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.share.MarkerRelay;
import io.github.kafkatxn.cluster.internal.share.ShareNode;
import io.github.kafkatxn.cluster.internal.share.ShareStates;
import io.github.kafkatxn.cluster.internal.txn.PartitionVerification;
import io.github.kafkatxn.cluster.internal.txn.ProducerIds;
import io.github.kafkatxn.cluster.internal.txn.TransactionCoordinator;
import io.github.kafkatxn.cluster.internal.txn.TransactionSteps;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** One node that is up, from its start to its stop; started again it is another one. */
public final class Node {
    private final LedPartitions partitions = new LedPartitions();
    private final int id;
    private final ControllerThread controller;
    private final NioLoop loop;
    private final NodeServer server;
    private final PeerLinks peers;
    /**
     * To the leaders of partitions, with markers: the other node answers one request of a link after the other, and
     * what has to wait for a marker must not wait in one queue with it.
     */
    private final PeerLinks markerPeers;
    /** To share coordinators, who may ask others before they answer: nothing else waits behind their answers. */
    private final PeerLinks statePeers;
    /** To the leaders of share partitions, while a marker is not answered yet. */
    private final PeerLinks relayPeers;

    private final Leadership leadership;
    private final TransactionCoordinator transactions;
    private final GroupCoordinator groups;
    private final NodeContext context;
    private final ImageView image;
    private Runnable unsubscribe = () -> {};

    /**
     * What all nodes of a cluster share.
     *
     * @param controller the controller and its thread
     * @param logs where logs change hands
     * @param clock the cluster's time
     * @param settings the configuration of the nodes
     * @param interceptor the fault plan
     * @param steps the fault plan of the transaction coordinators
     */
    public record Shared(
            ControllerThread controller,
            LogExchange logs,
            ClusterClock clock,
            NodeSettings settings,
            Interceptor interceptor,
            Function<EventLoop, TransactionSteps> steps) {

        /**
         * Shared by the nodes of a new cluster, whose logs are empty.
         *
         * @param controller the controller and its thread
         * @param clock the cluster's time
         * @param settings the configuration of the nodes
         * @param interceptor the fault plan
         * @param steps the fault plan of the transaction coordinators
         */
        public Shared(
                ControllerThread controller,
                ClusterClock clock,
                NodeSettings settings,
                Interceptor interceptor,
                Function<EventLoop, TransactionSteps> steps) {
            this(controller, new LogExchange(), clock, settings, interceptor, steps);
        }
    }

    /**
     * A node that is not started.
     *
     * @param id its id
     * @param shared what it shares with the others
     * @param caps the highest version of keys that are to look older, by key; a negative one hides the key
     */
    public Node(int id, Shared shared, Map<Short, Short> caps) {
        this.id = id;
        this.controller = shared.controller();
        this.image = new ImageView(shared.controller().call(Controller::image));
        this.loop = new NioLoop("reference-cluster-node-" + id, shared.clock());
        PeerLink.Way way = PeerLink.Way.of(shared.settings(), caps);
        this.peers = new PeerLinks(id, loop, image::known, way);
        this.markerPeers = new PeerLinks(id, loop, image::known, way);
        this.statePeers = new PeerLinks(id, loop, image::known, way);
        this.relayPeers = new PeerLinks(id, loop, image::known, way);
        this.transactions = new TransactionCoordinator(
                id,
                loop,
                image::known,
                shared.settings(),
                markerPeers,
                new ProducerIds(
                        first -> access().submit(decide -> decide.takeProducerIds(ProducerIds.BLOCK), first::accept)),
                shared.steps().apply(loop));
        this.groups = new GroupCoordinator(id, loop, image::known, shared.settings());
        TopicCreation creation = new TopicCreation(shared.settings(), access());
        ShareNode share = ShareNode.of(
                id,
                image::known,
                shared.settings(),
                new ShareStates(loop, image::known, statePeers, creation::ensure),
                new MarkerRelay(loop, image::known, relayPeers),
                loop);
        this.leadership = new Leadership(id, loop, shared.logs(), partitions, transactions, groups, share);
        this.context = new NodeContext(
                id,
                loop,
                image,
                shared.settings(),
                partitions,
                transactions,
                new PartitionVerification(
                        image::known, peers, shared.settings().flag("transaction.partition.verification.enable")),
                groups,
                share,
                access(),
                peers,
                Authorizer.of(shared.settings(), image::known));
        ApiRegistry registry = Handlers.of(context, caps);
        this.server = new NodeServer(
                id,
                loop,
                registry,
                image,
                shared.interceptor(),
                way.frameLimit(),
                way.login().isPresent());
    }

    /**
     * Starts it: it listens, and the cluster knows it.
     *
     * @param port where to listen, 0 for any
     * @return where it listens
     */
    public int start(int port) {
        int bound = open(port);
        loop.start();
        unsubscribe = controller.call(decide -> decide.subscribe(next -> loop.execute(() -> apply(next))));
        controller.call(decide -> {
            decide.nodeUp(id, "localhost", bound);
            return bound;
        });
        inspect(node -> {
            transactions.start();
            return bound;
        });
        return bound;
    }

    /**
     * Stops it at once, as a crash would: connections are closed, answers that are due are not given, the logs stay.
     */
    public void stop() {
        resume();
        controller.call(decide -> {
            unsubscribe.run();
            return true;
        });
        inspect(node -> {
            server.close();
            links().forEach(PeerLinks::close);
            transactions.close();
            groups.close();
            leadership.giveUpAll();
            return true;
        });
        loop.close();
        controller.call(decide -> {
            decide.nodeDown(id);
            return true;
        });
    }

    /** It stands still: it reads no socket and runs no timer, and its connections stay open. */
    public void pause() {
        loop.pause();
    }

    /** It goes on where it stood still. */
    public void resume() {
        loop.resume();
    }

    /**
     * Looks at the node, or does something with it, on its own thread, and waits for it, 10 seconds at most.
     *
     * @param look does not wait
     * @param <T> the result
     * @return the result
     */
    public <T> T inspect(Function<NodeContext, T> look) {
        return OnThread.call(loop, "node " + id, () -> look.apply(context));
    }

    /**
     * Nothing goes to another node any more.
     *
     * @param node the other one
     */
    public void cut(int node) {
        inspect(here -> {
            links().forEach(each -> each.cut(node));
            return true;
        });
    }

    /**
     * Things go to another node again.
     *
     * @param node the other one
     */
    public void join(int node) {
        inspect(here -> {
            links().forEach(each -> each.join(node));
            return true;
        });
    }

    private List<PeerLinks> links() {
        return List.of(peers, markerPeers, statePeers, relayPeers);
    }

    private int open(int port) {
        try {
            return server.open(port);
        } catch (RuntimeException e) {
            server.close();
            loop.discard();
            throw e;
        }
    }

    private void apply(ClusterImage next) {
        ClusterImage before = image.known();
        image.learn(next);
        leadership.apply(before, next);
        groups.onImage(before, next);
    }

    private ControllerAccess access() {
        return new ControllerAccess() {
            @Override
            public <T> void submit(Function<Controller, T> decide, Consumer<T> then) {
                controller.submit(decide, result -> loop.execute(() -> then.accept(result)));
            }
        };
    }
}
