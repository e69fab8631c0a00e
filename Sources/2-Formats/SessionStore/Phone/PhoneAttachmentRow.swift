import SystemPackage
import ValiseCryptography
import ValiseDatabase
import ValiseEncoding

/// A row of the phone's attachments.
struct PhoneAttachmentRow: DecodableRow {
    static let table = "attachment"

    let id: String
    let state: Int64
    let variant: Stored<String>
    let contentType: Stored<String>
    let byteCount: Stored<String>
    let fileName: Stored<String>
    let address: Stored<String>
    let width: Stored<String>
    let height: Stored<String>
    let duration: Stored<String>
    /// Of versions before files were named after their addresses.
    let localPath: Stored<String>

    init(_ row: inout RowReader) throws(DatabaseError) {
        id = try row.required("id", of: Self.table)
        state = try row.required("state", of: Self.table)
        variant = try row.stored("variant", of: Self.table)
        contentType = try row.stored("contentType", of: Self.table)
        byteCount = try row.stored("byteCount", of: Self.table)
        fileName = try row.stored("sourceFilename", of: Self.table)
        address = try row.stored("downloadUrl", of: Self.table)
        width = try row.stored("width", of: Self.table)
        height = try row.stored("height", of: Self.table)
        duration = try row.stored("duration", of: Self.table)
        localPath = try row.stored("localRelativeFilePath", of: Self.table)
    }
}

extension PhoneAttachmentRow {
    /// The states that the app has (the sheet on Session's formats, section 1.2); it takes all other numbers for invalid.
    private static let states: [Int64: String] = [
        0: "failed download", 1: "pending download", 2: "downloading", 3: "downloaded", 4: "failed upload",
        5: "uploading", 6: "uploaded",
    ]
    private static let voiceMessage: Int64 = 1
    private static let uploadFolder = "uploadPlaceholderUrl"

    /// - Parameter role: for what is no voice message.
    func attachment(_ role: SessionAttachment.Role, _ problems: ReadingProblems) -> SessionAttachment {
        let isVoice = problems.integer(variant, "attachment.variant") == Self.voiceMessage
        return SessionAttachment(
            fileName: filled(fileName), contentType: filled(contentType),
            size: problems.integer(byteCount, "attachment.byteCount"),
            width: problems.integer(width, "attachment.width"),
            height: problems.integer(height, "attachment.height"),
            duration: problems.decimal(duration, "attachment.duration"), caption: nil,
            role: isVoice && role == .attachment ? .voice : role, place: place)
    }

    private func filled(_ column: Stored<String>) -> String? {
        column.value.flatMap { $0.isEmpty ? nil : $0 }
    }

    private var place: SessionAttachment.Place {
        guard (3...6).contains(state) else { return .absent(Self.states[state] ?? "invalid") }
        if let localPath = filled(localPath) { return Self.file(localPath) }
        // Until it was sent, it has no address.
        if state == 4 || state == 5 { return Self.file("\(Self.uploadFolder)/\(id)") }
        guard let address = filled(address), let name = Self.name(ofAddress: address) else {
            return .absent("no address")
        }
        return Self.file(name)
    }

    private static func file(_ stored: String) -> SessionAttachment.Place {
        AttachmentPath.relative(stored).map { .file($0, .unencrypted) } ?? .unsafe(stored)
    }

    /// The name of a downloaded file: the BLAKE2b-256 of its address without query and fragment, in hexadecimal digits.
    static func name(ofAddress address: String) -> String? {
        let end = address.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let bytes = Array(address.utf8[..<(end ?? address.utf8.endIndex)])
        guard var hash = try? BLAKE2b(size: 32) else { return nil }
        hash.update(bytes)
        return Hexadecimal.encode(hash.finalize())
    }
}
