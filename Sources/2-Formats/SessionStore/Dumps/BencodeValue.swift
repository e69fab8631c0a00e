/// A value of bt-encoding, the canonical bencode that libsession keeps its state in (fact sheet of Session, §6).
package enum BencodeValue: Sendable, Equatable {
    case integer(Int64)
    /// A number above those of ``integer(_:)``, up to the largest of 64 bits without a sign.
    case large(UInt64)
    case bytes(BencodeBytes)
    case list([BencodeValue])
    case dictionary(BencodeDictionary)

    /// A number that has no sign.
    package init(_ number: UInt64) {
        self = Int64(exactly: number).map { .integer($0) } ?? .large(number)
    }

    /// A number that 64 bits with a sign hold; nil for other values.
    package var integerValue: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    package var bytesValue: BencodeBytes? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    package var listValue: [BencodeValue]? {
        if case .list(let values) = self { values } else { nil }
    }

    package var dictionaryValue: BencodeDictionary? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }
}

/// A dictionary of bt-encoding, its keys in the order of their bytes, each of them once.
package struct BencodeDictionary: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let key: [UInt8]
        package let value: BencodeValue

        package init(_ key: [UInt8], _ value: BencodeValue) {
            self.key = key
            self.value = value
        }

        package init(_ key: String, _ value: BencodeValue) { self.init(Array(key.utf8), value) }
    }

    package let entries: [Entry]

    /// - Parameter entries: in order, each key once.
    init(sorted entries: [Entry]) { self.entries = entries }

    /// - Parameter entries: in any order.
    /// - Throws: ``SessionStoreError`` with `invalid` where a key is there twice.
    package init(_ entries: [Entry] = []) throws(SessionStoreError) {
        let sorted = entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.key == next.key {
            throw SessionStoreError(.invalid, "a key of a dictionary is repeated")
        }
        self.entries = sorted
    }

    /// The value of a key; nil where there is none.
    package subscript(_ key: [UInt8]) -> BencodeValue? {
        var range = entries.startIndex..<entries.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if entries[middle].key == key { return entries[middle].value }
            if key.lexicographicallyPrecedes(entries[middle].key) {
                range = range.lowerBound..<middle
            } else {
                range = (middle + 1)..<range.upperBound
            }
        }
        return nil
    }

    /// The value of a key; nil where there is none.
    package subscript(_ key: String) -> BencodeValue? { self[Array(key.utf8)] }
}
