/// Where a file is in a store: components with slashes between them, which are safe in any folder.
///
/// What we write is canonical: no system takes it for another path. What older versions of tcfs wrote may be less.
package struct StorePath: Hashable, Sendable {
    package let text: String

    /// The most bytes: those of a key, without what comes before it.
    package static let mostBytes = 1000

    /// A canonical path.
    /// - Throws: ``ContentStoreError`` with `invalid`, which says what is wrong.
    package init(_ text: String) throws(ContentStoreError) {
        if let fault = Fault(text) {
            throw ContentStoreError(.invalid, "not a canonical path: \(fault.rawValue)", text)
        }
        self.text = text
    }

    /// A path that leads to no other place than its own: names that Windows does not take, and spellings that are not canonical,
    /// are allowed.
    /// - Throws: ``ContentStoreError`` with `damaged`, which says what is wrong.
    package init(lenient text: String) throws(ContentStoreError) {
        if let fault = Fault(structureOf: text) {
            throw ContentStoreError(.damaged, "unsafe path: \(fault.rawValue)", text)
        }
        self.text = text
    }

    private init(valid text: String) { self.text = text }

    package var isCanonical: Bool { Fault(text) == nil }

    // By bytes: with a combining mark behind it, a slash is no character of its own.
    package var components: [Substring] {
        text.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// The last component.
    package var name: String { String(components.last ?? "") }

    /// All folders above it, the topmost first.
    package var ancestors: [StorePath] {
        let bytes = text.utf8
        return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
            .map { StorePath(valid: String(text[..<$0])) }
    }

    /// What names that differ in case only have in common.
    package var folded: String { text.folded }

    package static func == (left: StorePath, right: StorePath) -> Bool {
        // By bytes: Swift takes two spellings of an accent for one.
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension StorePath: CustomStringConvertible {
    package var description: String { text }
}

extension StorePath: Comparable {
    /// By bytes, as stores list keys.
    package static func < (left: StorePath, right: StorePath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
