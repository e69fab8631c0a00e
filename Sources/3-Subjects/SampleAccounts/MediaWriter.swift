import ValiseDatabase

/// Writes the files of messages, and the rows that describe them.
final class MediaWriter {
    let folder: SampleMediaFolder
    private let files: RowInserter
    private let received: RowInserter
    private(set) var count = 0
    private let descriptions: RowInserter
    private var hasMissing = false

    init(_ folder: SampleMediaFolder, _ chat: SampleDatabase) throws {
        self.folder = folder
        files = try RowInserter(
            chat, "files",
            [
                "contact_id", "group_id", "note_folder_id", "user_id", "chat_item_id", "file_id", "file_name",
                "file_path", "file_size", "chunk_size", "ci_file_status", "protocol", "file_crypto_key",
                "file_crypto_nonce", "shared_msg_id", "created_at", "updated_at",
            ])
        received = try RowInserter(
            chat, "rcv_files",
            [
                "file_id", "file_status", "group_member_id", "to_receive", "file_descr_id", "created_at",
                "updated_at",
            ])
        descriptions = try RowInserter(
            chat, "xftp_file_descriptions",
            [
                "file_descr_id", "user_id", "file_descr_text", "file_descr_part_no", "file_descr_complete",
                "created_at", "updated_at",
            ])
    }

    /// What became of a file.
    private enum State {
        case here, invited, aborted
        /// The row says that it is here, and it is not.
        case missing
    }

    /// The small file of a message.
    func add(_ kind: SampleMedia.Kind, to item: ItemRow) throws {
        let name = SampleMedia.name(kind, count + 1)
        // A name as the sender's disk had it, beside the one that is safe here.
        let shown = kind == .document && count % 2 == 0 ? "Übersicht 2026 (final).pdf" : name
        try add(name, shown: shown, SampleMedia.bytes(kind), to: item, state(of: item))
    }

    /// A file of bulk media.
    func add(bulk name: String, _ content: consuming [UInt8], to item: ItemRow) throws {
        try add(name, shown: name, content, to: item, .here)
    }

    private func state(of item: ItemRow) -> State {
        guard !item.isSent else { return .here }
        if count >= 8, !hasMissing { return .missing }
        return switch count % 20 {
        case 3, 11: .invited
        case 17: .aborted
        default: .here
        }
    }

    private func add(
        _ name: String, shown: String, _ content: consuming [UInt8], to item: ItemRow, _ state: State
    ) throws {
        count += 1
        let size = content.count
        var keys: SampleMediaFolder.Keys?
        if state == .here { keys = try folder.add(name, content) }
        if state == .missing { hasMissing = true }
        let status =
            switch state {
            case .here, .missing: item.isSent ? "snd_complete" : "rcv_complete"
            case .invited: "rcv_invitation"
            case .aborted: "rcv_aborted"
            }
        let hasPath = state == .here || state == .missing
        let isNote = item.chat.noteFolder != nil
        try files.add([
            .optional(item.chat.contact), .optional(item.chat.group?.id), .optional(item.chat.noteFolder),
            .number(item.chat.user), .number(item.id), .number(count), .text(shown),
            hasPath ? .text(name) : .null, .number(size), isNote ? 0 : 16_384, .text(status),
            isNote ? "local" : "xftp", .optional(keys?.key), .optional(keys?.nonce), .blob(item.sharedID),
            .time(item.time), .time(item.time),
        ])
        guard !item.isSent else { return }
        let fileStatus = hasPath ? "complete" : state == .invited ? "new" : "cancelled"
        try received.add([
            .number(count), .text(fileStatus), .optional(item.member?.id), hasPath ? 1 : .null, .null,
            .time(item.time), .time(item.time),
        ])
    }

    /// A file in a state that only the conversations have.
    func add(_ form: FileForm, to item: ItemRow) throws {
        count += 1
        let name = "\(form.isAtOddName ? "odd name é %20 " : "file_")\(count).bin"
        let content = SampleMedia.bytes(.note)
        let keys = try write(form, name, content)
        let isNote = item.chat.noteFolder != nil
        let path = form.presence == .none ? nil : form.folder + name
        try files.add([
            .optional(item.chat.contact), .optional(item.chat.group?.id), .optional(item.chat.noteFolder),
            .number(item.chat.user), .number(item.id), .number(count), .text(form.shownName ?? name),
            .optional(path), .number(content.count), isNote ? 0 : 16_384, .optional(form.status),
            .text(isNote ? "local" : form.transport), .optional(keys?.key), .optional(keys?.nonce),
            .blob(item.sharedID), .time(item.time), .time(item.time),
        ])
        guard !item.isSent else { return }
        try describe(item)
        try received.add([
            .number(count), .text(form.transferStatus), .optional(item.member?.id), path == nil ? .null : 1,
            .number(count), .time(item.time), .time(item.time),
        ])
    }

    /// What is on the disk of it.
    private func write(
        _ form: FileForm, _ name: String, _ content: [UInt8]
    ) throws -> SampleMediaFolder.Keys? {
        switch form.presence {
        case .whole: try folder.add(name, content)
        case .empty: try folder.addUnfinished(name, [])
        case .part: try folder.addUnfinished(name, Array(content.prefix(content.count / 2)))
        case .damaged: try folder.addDamaged(name, content)
        case .missing: folder.newKeys()
        case .none: nil
        }
    }

    /// The description holds keys of the file on relays; nothing that is shown or exported may contain it.
    private func describe(_ item: ItemRow) throws {
        try descriptions.add([
            .number(count), .number(item.chat.user), .text("secret of a file: SAMPLE-FILE-KEY-\(count)"), 0,
            1,
            .time(item.time), .time(item.time),
        ])
    }
}
