import ValiseFailures

/// The name of an object: UTF-8 text of at most 1,024 bytes, in which slashes separate components.
///
/// No component is empty, `.` or `..`, and there are no control characters: so a key can be a path in a folder. Keys are equal
/// where their bytes are, as for every server; texts are for Swift where they look the same.
package struct ObjectKey: Hashable, Comparable, Sendable {
    package let text: String

    /// The longest text of a key, in bytes.
    package static let mostBytes = 1024

    /// - Throws: ``StorageError``: `invalid`.
    package init(_ text: String) throws(StorageError) {
        guard let key = ObjectKey(listed: text) else {
            let shown = String(text.unicodeScalars.prefix(200)).replacingControls { _ in "?" }
            throw StorageError(.general, .invalid, "not a name of an object", shown)
        }
        self = key
    }

    /// - Returns: nil for what is no key.
    init?(listed text: String) {
        guard text.utf8.count <= Self.mostBytes else { return nil }
        self.text = text
        if text.isSimplePath { return }
        guard
            // As bytes: a slash with an accent behind it is another character, and the same separator.
            text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }),
            text.unicodeScalars.allSatisfy({ $0.value >= 32 && !(127..<160).contains($0.value) })
        else { return nil }
    }

    /// The components before the last one, which are folders where a key is a path.
    var folderNames: [String] {
        text.utf8.split(separator: UInt8(ascii: "/")).dropLast().map { String(Substring($0)) }
    }

    package static func == (left: ObjectKey, right: ObjectKey) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.text.comesBefore(right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
