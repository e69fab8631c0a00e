import ValiseStorage

extension RecordReader {
    /// Passes over a value of any form. It keeps no stack of calls: nesting costs a byte a level, and is limited.
    mutating func skip() throws(RepositoryError) {
        /// For each open object or array, whether it is an object.
        var open: [Bool] = []
        repeat {
            if let isObject = open.last {
                let hasMore = isObject ? try nextKey() != nil : try nextElement()
                guard hasMore else {
                    open.removeLast()
                    continue
                }
            }
            skipSpace()
            switch next {
            case UInt8(ascii: "{"):
                try beginObject()
                open.append(true)
            case UInt8(ascii: "["):
                try beginArray()
                open.append(false)
            default: try skipScalar()
            }
        } while !open.isEmpty
    }

    private mutating func skipScalar() throws(RepositoryError) {
        switch next {
        case UInt8(ascii: "\""): _ = try string(limit: bytes.count)
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try bool()
        case UInt8(ascii: "n"): try word("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
        default: throw damage("value expected")
        }
    }

    /// A value of any form as it was written, for fields that are passed on without being understood.
    mutating func json() throws(RepositoryError) -> [UInt8] {
        skipSpace()
        let start = position
        try skip()
        return Array(bytes[start..<position])
    }

    /// An array of texts.
    mutating func texts() throws(RepositoryError) -> [String] {
        var texts: [String] = []
        try beginArray()
        while try nextElement() { texts.append(try text()) }
        return texts
    }

    /// An array of identifiers.
    mutating func ids() throws(RepositoryError) -> [ContentID] {
        var ids: [ContentID] = []
        try beginArray()
        while try nextElement() { ids.append(try id()) }
        return ids
    }
}
