import ValiseEncoding
import ValiseSecrets

/// Puts chunks together from the lines `number:id:key[:digest[:size]]` of all relays (fact sheet, §7.2, §7.3).
@safe struct ReplicaReader {
    /// What the replicas of one chunk say of it.
    private struct Parts {
        var size: Int64?
        var digest: [UInt8]?
        var replicas: [FileDescription.Replica] = []
    }

    private let text: UnsafeRawBufferPointer
    private let defaultSize: Int64
    private var parts: [Int: Parts] = [:]

    init(_ text: UnsafeRawBufferPointer, defaultSize: Int64) {
        unsafe self.text = unsafe text
        self.defaultSize = defaultSize
    }

    /// In the order of their numbers.
    consuming func chunks(of replicas: [YAMLNode]) throws -> [FileDescription.Chunk] {
        guard replicas.count <= FileDescription.mostRelays else {
            throw XFTPWireError.description("more than \(FileDescription.mostRelays) relays")
        }
        for node in replicas {
            let fields = try unsafe DescriptionFields(node, of: text, in: "an entry of replicas")
            let server: XFTPAddress
            do throws(XFTPWireError) {
                server = try XFTPAddress(try fields.text("server"))
            } catch {
                throw XFTPWireError.description("invalid server address: \(error.message)")
            }
            for line in try fields.list("chunks") { try add(line, at: server) }
        }
        return try parts.sorted { $0.key < $1.key }.map { number, parts in
            guard let digest = parts.digest else {
                throw XFTPWireError.description("no replica of chunk \(number) has a digest")
            }
            return FileDescription.Chunk(
                number: number, size: parts.size ?? defaultSize, digest: digest, replicas: parts.replicas)
        }
    }

    private mutating func add(_ node: YAMLNode, at server: XFTPAddress) throws {
        guard case .scalar(let scalar) = node,
            let line = try unsafe scalar.withBytes(of: text, { try unsafe ReplicaLine($0) })
        else { throw XFTPWireError.description("a chunk is not a line of text") }
        let replica = FileDescription.Replica(server: server, id: line.id, key: line.key)
        let known = parts[line.number]
        if let size = line.size, let other = known?.size, other != size {
            throw XFTPWireError.description("the replicas of chunk \(line.number) disagree about its size")
        }
        if let digest = line.digest, let other = known?.digest, other != digest {
            throw XFTPWireError.description("the replicas of chunk \(line.number) disagree about its digest")
        }
        parts[line.number, default: Parts()].size = line.size ?? known?.size
        parts[line.number, default: Parts()].digest = line.digest ?? known?.digest
        parts[line.number, default: Parts()].replicas.append(replica)
    }
}

/// One line of ``ReplicaReader``.
private struct ReplicaLine {
    let number: Int
    let id: EntityID
    let key: SecretSeed
    let digest: [UInt8]?
    let size: Int64?

    private static let longest = 1024

    init(_ line: UnsafeRawBufferPointer) throws {
        guard line.count <= Self.longest else { throw Self.fault("is too long") }
        let fields = unsafe line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard unsafe (3...5).contains(fields.count) else { throw Self.fault("does not have 3 to 5 fields") }
        let digits = unsafe String(decoding: fields[0], as: UTF8.self)
        guard unsafe fields[0].count <= 9, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(digits),
            (1...FileDescription.mostChunks).contains(number)
        else { throw Self.fault("does not start with a number from 1 to \(FileDescription.mostChunks)") }
        guard let bytes = unsafe Self.decode(fields[1]), let id = EntityID(bytes) else {
            throw Self.fault("has no replica ID")
        }
        self.number = number
        self.id = id
        key = try unsafe PrivateKeyText.decode(UnsafeRawBufferPointer(rebasing: fields[2]))
        digest = try unsafe fields.count > 3 ? Self.digest(fields[3]) : nil
        size = try unsafe fields.count > 4 ? Self.size(fields[4]) : nil
    }

    private static func decode(_ field: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        unsafe Base64URL.decode(String(decoding: field, as: UTF8.self))
    }

    private static func digest(_ field: Slice<UnsafeRawBufferPointer>) throws -> [UInt8] {
        guard let digest = unsafe decode(field), digest.count == 32 else {
            throw fault("has a digest that is not 32 bytes in base64url")
        }
        return digest
    }

    private static func size(_ field: Slice<UnsafeRawBufferPointer>) throws -> Int64 {
        guard let size = unsafe SizeText.decode(String(decoding: field, as: UTF8.self)), size > 0 else {
            throw fault("does not end with a size")
        }
        return size
    }

    private static func fault(_ reason: String) -> XFTPWireError {
        .description("the line for a chunk \(reason)")
    }
}
