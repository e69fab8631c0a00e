import ValiseEncoding
import ValiseFailures

extension StoreManifest {
    /// The most bytes of a manifest: some more than those of the most chunks.
    package static let mostBytes = 96 << 20
    /// The most chunks: 5 GB in chunks of 5 KiB. tcfs itself has larger chunks for large files.
    package static let mostChunks = 1 << 20

    /// Reads a manifest of any era. What begins with a brace is JSON.
    ///
    /// - Throws: ``ContentStoreError``: `damaged`; `newer` for a version behind 3; `unsupported` for a larger one.
    package init(parsing bytes: [UInt8]) throws(ContentStoreError) {
        guard bytes.first == UInt8(ascii: "{") else {
            self = .chunks(try Self.lines(bytes))
            return
        }
        let fields = try DocumentFields(parsing: bytes, "manifest", mostBytes: Self.mostBytes)
        let version: UInt32 = try fields.number("version")
        guard version <= 3 else {
            throw ContentStoreError(
                .newer, "manifests of version \(version) are newer than this program", remedy: .updateProgram)
        }
        guard version >= 2 else { throw fields.invalid("version") }
        switch try fields.optionalText("kind") ?? "regular_file" {
        case "regular_file": self = .file(try FileManifest(fields, version))
        case "symlink" where version == 3: self = .link(try LinkManifest(fields))
        default: throw fields.invalid("kind")
        }
    }

    private static func lines(_ bytes: [UInt8]) throws(ContentStoreError) -> [ObjectName] {
        guard bytes.count <= mostBytes else { throw tooLarge }
        var chunks: [ObjectName] = []
        let content = bytes.last == 0x0a ? bytes.dropLast() : bytes[...]
        for line in content.split(separator: 0x0a, omittingEmptySubsequences: false) {
            guard chunks.count < mostChunks else { throw tooLarge }
            guard let name = String(validating: line, as: UTF8.self).flatMap({ ObjectName($0) }) else {
                throw ContentStoreError(.damaged, "the manifest has a line that is not the name of a chunk")
            }
            chunks.append(name)
        }
        return chunks
    }

    static var tooLarge: ContentStoreError {
        ContentStoreError(.unsupported, "the manifest names more chunks than are supported")
    }
}

extension FileManifest {
    fileprivate init(_ fields: DocumentFields, _ version: UInt32) throws(ContentStoreError) {
        guard let content = ContentDigest(text: try fields.text("file_hash")) else {
            throw fields.invalid("file_hash")
        }
        let size: Int64 = try fields.number("file_size")
        let chunks = try Self.chunks(fields)
        // No chunk is empty.
        guard size >= chunks.count, size == 0 || !chunks.isEmpty else { throw fields.invalid("file_size") }
        self.init(
            content: content, size: size, chunks: chunks, clock: try VectorClock(fields.fields("vclock")),
            device: try fields.text("written_by"), written: try fields.number("written_at"),
            path: try fields.optionalText("rel_path"), mode: try fields.optionalNumber("mode"),
            modified: try Self.time(fields), wrappedKey: try fields.optionalText("encrypted_file_key"),
            deviceKeys: try DeviceKey.list(fields))
        guard version == 2 || !deviceKeys.isEmpty else { throw fields.invalid("wrapped_file_keys") }
    }

    private static func chunks(_ fields: DocumentFields) throws(ContentStoreError) -> [ObjectName] {
        let elements = try fields.elements("chunks")
        guard elements.count <= StoreManifest.mostChunks else { throw StoreManifest.tooLarge }
        var chunks: [ObjectName] = []
        chunks.reserveCapacity(elements.count)
        for element in elements {
            guard let name = element.textValue.flatMap({ ObjectName($0) }) else {
                throw fields.invalid("chunks")
            }
            chunks.append(name)
        }
        return chunks
    }

    private static func time(_ fields: DocumentFields) throws(ContentStoreError) -> ModificationTime? {
        guard let parts = fields.node("mtime")?.arrayValue else {
            guard fields.node("mtime") == nil else { throw fields.invalid("mtime") }
            return nil
        }
        guard parts.count == 2, let seconds: Int64 = parts[0].number(),
            let nanoseconds: UInt32 = parts[1].number(), nanoseconds < 1_000_000_000
        else { throw fields.invalid("mtime") }
        return ModificationTime(seconds: seconds, nanoseconds: nanoseconds)
    }
}

extension DeviceKey {
    private static let most = 10_000

    fileprivate static func list(_ fields: DocumentFields) throws(ContentStoreError) -> [DeviceKey] {
        guard fields.node("wrapped_file_keys") != nil else { return [] }
        let elements = try fields.elements("wrapped_file_keys")
        guard elements.count <= most else { throw fields.invalid("wrapped_file_keys") }
        var keys: [DeviceKey] = []
        for element in elements {
            let fields = try DocumentFields(element, "wrapped key")
            keys.append(
                DeviceKey(
                    device: try fields.text("recipient_device_id"), recipient: try fields.text("recipient"),
                    algorithm: try fields.text("algorithm"), wrapped: try fields.text("wrapped_key")))
        }
        return keys
    }
}

extension LinkManifest {
    private static let mostBytes = 4096

    fileprivate init(_ fields: DocumentFields) throws(ContentStoreError) {
        let target = try fields.text("symlink_target")
        guard !target.isEmpty, target.utf8.count <= Self.mostBytes,
            !target.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw fields.invalid("symlink_target") }
        self.init(
            target: target, clock: try VectorClock(fields.fields("vclock")),
            device: try fields.text("written_by"), written: try fields.number("written_at"),
            path: try fields.optionalText("rel_path"))
    }
}
