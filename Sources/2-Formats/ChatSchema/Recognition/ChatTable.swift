/// The tables of a chat database that are read by their names.
package enum ChatTable: String, KnownTable {
    case appSettings = "app_settings"
    case chatItems = "chat_items"
    case connections
    case contactProfiles = "contact_profiles"
    case contacts
    case files
    case groupMembers = "group_members"
    case groupProfiles = "group_profiles"
    case groups
    case itemMentions = "chat_item_mentions"
    case itemReactions = "chat_item_reactions"
    case itemVersions = "chat_item_versions"
    case memberItemStatuses = "group_snd_item_statuses"
    case messages
    case noteFolders = "note_folders"
    case users
}
