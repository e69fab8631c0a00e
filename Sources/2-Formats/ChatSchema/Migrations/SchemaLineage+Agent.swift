import ValiseDatabase

extension SchemaLineage {
    /// The agent database's migrations. SwiftPM replaces the first character of an embedded file's name, and
    /// gives no list: so the table is kept here, and a test compares it with the folder.
    static let agentMigrations: [Migration] = [
        migration(
            "0001_agent_connections", PackageResources._001_agent_connections_up_sql,
            PackageResources._001_agent_connections_down_sql),
        migration(
            "0002_queues", PackageResources._002_queues_up_sql, PackageResources._002_queues_down_sql),
        migration(
            "0003_transit_messages", PackageResources._003_transit_messages_up_sql,
            PackageResources._003_transit_messages_down_sql),
        migration(
            "0004_handshakes", PackageResources._004_handshakes_up_sql,
            PackageResources._004_handshakes_down_sql),
        migration(
            "0005_ratchets", PackageResources._005_ratchets_up_sql, PackageResources._005_ratchets_down_sql),
        migration(
            "0006_notifications", PackageResources._006_notifications_up_sql,
            PackageResources._006_notifications_down_sql),
        migration(
            "0007_queue_rotation", PackageResources._007_queue_rotation_up_sql,
            PackageResources._007_queue_rotation_down_sql),
        migration(
            "0008_agent_commands", PackageResources._008_agent_commands_up_sql,
            PackageResources._008_agent_commands_down_sql),
        migration(
            "0009_received_files", PackageResources._009_received_files_up_sql,
            PackageResources._009_received_files_down_sql),
        migration(
            "0010_sent_files", PackageResources._010_sent_files_up_sql,
            PackageResources._010_sent_files_down_sql),
        migration(
            "0011_ratchet_sync", PackageResources._011_ratchet_sync_up_sql,
            PackageResources._011_ratchet_sync_down_sql),
        migration(
            "0012_servers_stats", PackageResources._012_servers_stats_up_sql,
            PackageResources._012_servers_stats_down_sql),
        migration(
            "0013_short_links", PackageResources._013_short_links_up_sql,
            PackageResources._013_short_links_down_sql),
        migration(
            "0014_client_notices", PackageResources._014_client_notices_up_sql,
            PackageResources._014_client_notices_down_sql),
    ]
}
