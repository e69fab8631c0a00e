package import ValiseDatabase

/// A row of the table `chat_items` and its file: an item of a conversation as it is stored (SimpleX's chat log, §1.4).
package struct ChatItemRow: DecodableRow {
    package let id: Int64
    /// The author of a received item of a group.
    package let memberID: Stored<Int64>
    /// Whether this user sent it.
    package let isSent: Bool
    /// When a relay received it; as it is stored.
    package let time: String
    /// 0 for an item that is not deleted, see `ItemDeletion`.
    package let deletion: Int64
    package let content: String
    package let text: String
    package let createdAt: String
    package let status: Stored<String>
    /// The ID that all participants know it by.
    package let sharedID: Stored<[UInt8]>
    package let quote: Quote
    package let isEdited: Stored<Bool>
    /// How long it lives once it was read, in seconds.
    package let lifetime: Stored<Int64>
    package let deletesAt: Stored<String>
    /// NULL for one that never was live, false for one that was.
    package let isLive: Stored<Bool>
    package let deletedByMember: Stored<Int64>
    package let deletedAt: Stored<String>
    package let forward: Forward
    package let usedProxy: Stored<Bool>
    package let mentionsUser: Stored<Bool>
    package let showsGroupAsSender: Stored<Bool>
    package let signature: Stored<String>
    package let file: File?

    /// What it quotes, as the sender quoted it.
    package struct Quote: Sendable {
        package let sharedID: Stored<[UInt8]>
        package let sentAt: Stored<String>
        package let content: Stored<String>
        /// Whether this user wrote it; NULL for an item that quotes nothing.
        package let isSent: Stored<Bool>
        package let memberID: Stored<[UInt8]>
    }

    /// Where it was forwarded from.
    package struct Forward: Sendable {
        package let kind: Stored<String>
        package let chatName: Stored<String>
        package let isSent: Stored<Bool>
        package let contactID: Stored<Int64>
        package let groupID: Stored<Int64>
    }

    /// The row of the table `files` that belongs to it.
    package struct File: Sendable {
        package let id: Int64
        package let name: Stored<String>
        /// Below the files folder, or absolute; NULL for a file that nobody accepted.
        package let path: Stored<String>
        /// In bytes.
        package let size: Stored<Int64>
        package let status: Stored<String>
        package let hasKey: Stored<Bool>
        package let hasNonce: Stored<Bool>
        /// Whether it is the file of a link, or an internal transfer, rather than the item's own.
        package let isInternal: Bool
    }

    package init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("chat_item_id")
        memberID = try row.stored("group_member_id")
        isSent = try row.required("item_sent")
        time = try row.required("item_ts")
        deletion = try row.required("item_deleted")
        content = try row.required("item_content")
        text = try row.required("item_text")
        createdAt = try row.required("created_at")
        status = try row.stored("item_status")
        sharedID = try row.stored("shared_msg_id")
        quote = Quote(
            sharedID: try row.stored("quoted_shared_msg_id"), sentAt: try row.stored("quoted_sent_at"),
            content: try row.stored("quoted_content"), isSent: try row.stored("quoted_sent"),
            memberID: try row.stored("quoted_member_id"))
        isEdited = try row.stored("item_edited")
        lifetime = try row.stored("timed_ttl")
        deletesAt = try row.stored("timed_delete_at")
        isLive = try row.stored("item_live")
        deletedByMember = try row.stored("item_deleted_by_group_member_id")
        deletedAt = try row.stored("item_deleted_ts")
        forward = Forward(
            kind: try row.stored("fwd_from_tag"), chatName: try row.stored("fwd_from_chat_name"),
            isSent: try row.stored("fwd_from_msg_dir"), contactID: try row.stored("fwd_from_contact_id"),
            groupID: try row.stored("fwd_from_group_id"))
        usedProxy = try row.stored("via_proxy")
        mentionsUser = try row.stored("user_mention")
        showsGroupAsSender = try row.stored("show_group_as_sender")
        signature = try row.stored("msg_signed")
        file = try Self.file(&row)
    }

    private static func file(_ row: inout RowReader) throws(DatabaseError) -> File? {
        let files = ChatTable.files.rawValue
        let id: Stored<Int64> = try row.stored("file_id", of: files)
        let name: Stored<String> = try row.stored("file_name", of: files)
        let path: Stored<String> = try row.stored("file_path", of: files)
        let size: Stored<Int64> = try row.stored("file_size", of: files)
        let status: Stored<String> = try row.stored("ci_file_status", of: files)
        let hasKey = try row.isSet("file_crypto_key", of: files)
        let hasNonce = try row.isSet("file_crypto_nonce", of: files)
        let redirects = try row.isSet("redirect_file_id", of: files)
        let type: Stored<String> = try row.stored("file_type", of: files)
        guard let id = id.value else { return nil }
        let isOwn = redirects.value != true && type.value ?? "normal" == "normal"
        return File(
            id: id, name: name, path: path, size: size, status: status, hasKey: hasKey, hasNonce: hasNonce,
            isInternal: !isOwn)
    }
}
