package io.github.kafkatxn.cluster.internal.api;

import java.util.List;

/** The cluster: metadata, topics, configuration, coordinators. */
final class AdminHandlers {
    private AdminHandlers() {}

    static List<ApiHandler<?>> of(NodeContext node) {
        Rights rights = new Rights(node.authorizer());
        TopicCreation creation = new TopicCreation(node.settings(), node.controller());
        Logins logins = new Logins(node.settings().passwords());
        return List.of(
                new MetadataHandler(node, creation, rights),
                new FindCoordinatorHandler(node, creation, rights),
                new CreateTopicsHandler(node, rights),
                new DeleteTopicsHandler(node, rights),
                new DescribeClusterHandler(node, rights),
                new CreatePartitionsHandler(node, rights),
                new DescribeTopicPartitionsHandler(node, rights),
                new ListConfigResourcesHandler(node, rights),
                new DescribeConfigsHandler(node, rights),
                new IncrementalAlterConfigsHandler(node, rights),
                new SaslHandshakeHandler(logins),
                new SaslAuthenticateHandler(logins),
                new DescribeAclsHandler(node, rights),
                new CreateAclsHandler(node, rights),
                new DeleteAclsHandler(node, rights),
                new UpdateFeaturesHandler(node, rights));
    }
}
