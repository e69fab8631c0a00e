import ValiseDatabase

extension SchemaLineage {
    /// The chat database's migrations. SwiftPM replaces the first character of an embedded file's name, and
    /// gives no list: so the table is kept here, and a test compares it with the folder.
    static let chatMigrations: [Migration] = [
        migration(
            "0001_profiles", PackageResources._001_profiles_up_sql, PackageResources._001_profiles_down_sql),
        migration(
            "0002_groups", PackageResources._002_groups_up_sql, PackageResources._002_groups_down_sql),
        migration(
            "0003_connections", PackageResources._003_connections_up_sql,
            PackageResources._003_connections_down_sql),
        migration(
            "0004_messages", PackageResources._004_messages_up_sql, PackageResources._004_messages_down_sql),
        migration(
            "0005_chat_items", PackageResources._005_chat_items_up_sql,
            PackageResources._005_chat_items_down_sql),
        migration(
            "0006_files", PackageResources._006_files_up_sql, PackageResources._006_files_down_sql),
        migration(
            "0007_chat_order", PackageResources._007_chat_order_up_sql,
            PackageResources._007_chat_order_down_sql),
        migration(
            "0008_item_history", PackageResources._008_item_history_up_sql,
            PackageResources._008_item_history_down_sql),
        migration(
            "0009_mentions", PackageResources._009_mentions_up_sql, PackageResources._009_mentions_down_sql),
        migration(
            "0010_forwarding", PackageResources._010_forwarding_up_sql,
            PackageResources._010_forwarding_down_sql),
        migration(
            "0011_chat_tags", PackageResources._011_chat_tags_up_sql, PackageResources._011_chat_tags_down_sql
        ),
        migration(
            "0012_servers", PackageResources._012_servers_up_sql, PackageResources._012_servers_down_sql),
        migration(
            "0013_settings", PackageResources._013_settings_up_sql, PackageResources._013_settings_down_sql),
        migration(
            "0014_calls_commands", PackageResources._014_calls_commands_up_sql,
            PackageResources._014_calls_commands_down_sql),
        migration(
            "0015_remote_access", PackageResources._015_remote_access_up_sql,
            PackageResources._015_remote_access_down_sql),
        migration(
            "0016_member_support", PackageResources._016_member_support_up_sql,
            PackageResources._016_member_support_down_sql),
        migration(
            "0017_content_tags", PackageResources._017_content_tags_up_sql,
            PackageResources._017_content_tags_down_sql),
        migration(
            "0018_member_counts", PackageResources._018_member_counts_up_sql,
            PackageResources._018_member_counts_down_sql),
        migration(
            "0019_business_and_links", PackageResources._019_business_and_links_up_sql,
            PackageResources._019_business_and_links_down_sql),
        migration(
            "0020_channels", PackageResources._020_channels_up_sql, PackageResources._020_channels_down_sql),
        migration(
            "0021_signed_messages", PackageResources._021_signed_messages_up_sql,
            PackageResources._021_signed_messages_down_sql),
    ]
}
