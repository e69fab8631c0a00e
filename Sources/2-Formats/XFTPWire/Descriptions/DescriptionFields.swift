import ValiseEncoding
import ValiseSecrets

/// The values of a mapping in a description, by their keys. Keys that are not asked for mean nothing.
@safe struct DescriptionFields {
    private let text: UnsafeRawBufferPointer
    private let place: String
    private var values: [String: YAMLNode] = [:]

    private static let names: Set = [
        "chunkSize", "chunks", "digest", "key", "nonce", "party", "redirect", "replicas", "server", "size",
    ]

    init(_ node: YAMLNode, of text: UnsafeRawBufferPointer, in place: String) throws(XFTPWireError) {
        guard case .mapping(let entries) = node else { throw .description("\(place) has no keys") }
        unsafe self.text = unsafe text
        self.place = place
        for (key, value) in entries {
            // The longest name has nine bytes: nothing larger is made a string.
            guard key.range.count <= 16, let name = unsafe Self.string(key, of: text),
                Self.names.contains(name)
            else {
                continue
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .description("\(name) occurs twice in \(place)")
            }
        }
    }

    private static func string(_ scalar: YAMLScalar, of text: UnsafeRawBufferPointer) -> String? {
        unsafe scalar.withBytes(of: text) { unsafe String(validating: $0, as: UTF8.self) } ?? nil
    }

    // MARK: Values

    func optional(_ name: String) -> YAMLNode? {
        guard let node = values[name] else { return nil }
        if case .scalar(let scalar) = node, scalar.style == .plain {
            let isNull = unsafe ["null", "~"].contains(Self.string(scalar, of: text))
            return isNull ? nil : node
        }
        return node
    }

    private func scalar(_ name: String) throws(XFTPWireError) -> YAMLScalar {
        guard let node = values[name] else { throw .description("\(place) has no \(name)") }
        guard case .scalar(let scalar) = node else { throw .description("\(name) is not a single value") }
        return scalar
    }

    func list(_ name: String) throws(XFTPWireError) -> [YAMLNode] {
        guard let node = values[name] else { throw .description("\(place) has no \(name)") }
        guard case .sequence(let items) = node else { throw .description("\(name) is not a list") }
        return items
    }

    func text(_ name: String) throws(XFTPWireError) -> String {
        let scalar = try scalar(name)
        guard scalar.range.count <= XFTPAddress.longestText, let string = unsafe Self.string(scalar, of: text)
        else {
            throw .description("\(name) is not text of a reasonable size")
        }
        return string
    }

    /// More than 0 bytes.
    func size(_ name: String) throws(XFTPWireError) -> Int64 {
        guard let size = SizeText.decode(try text(name)), size > 0 else {
            throw .description("\(name) is not a size")
        }
        return size
    }

    func bytes(_ name: String, count: Int? = nil) throws(XFTPWireError) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(name)), count == nil || bytes.count == count else {
            throw .description(
                "\(name) is not \(count.map { Count.text($0, "byte") } ?? "bytes") in base64url")
        }
        return bytes
    }

    func seed(_ name: String) throws -> SecretSeed {
        let scalar = try scalar(name)
        let seed = try unsafe scalar.withBytes(of: text) { bytes in
            try unsafe SecretSeed { memory in
                guard unsafe Base64URL.decode(bytes, into: memory) == memory.count else {
                    throw XFTPWireError.description("\(name) is not 32 bytes in base64url")
                }
            }
        }
        guard let seed else { throw XFTPWireError.description("\(name) is not 32 bytes in base64url") }
        return seed
    }
}
