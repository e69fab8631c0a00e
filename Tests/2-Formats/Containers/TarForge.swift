/// Writes a tar by hand, header by header: also what no program writes.
struct TarForge {
    private(set) var bytes: [UInt8] = []

    /// One entry.
    ///
    /// - Parameters:
    ///   - name: as it lies in the header: at most 100 bytes.
    ///   - type: `0` a file, `1` a hard link, `2` a symbolic link, `3` and `4` devices, `5` a folder, `6` a pipe.
    ///   - size: what the header says; nil for that of the content.
    ///   - sizeField: the whole field, for sizes that no number makes.
    mutating func add(
        _ name: String, type: Character = "0", content: String = "", size: Int64? = nil,
        sizeField: [UInt8]? = nil, link: String = ""
    ) {
        add(
            Array(name.utf8), type: type, content: Array(content.utf8), size: size, sizeField: sizeField,
            link: link)
    }

    mutating func add(
        _ name: [UInt8], type: Character = "0", content: [UInt8], size: Int64? = nil,
        sizeField: [UInt8]? = nil, link: String = ""
    ) {
        let digits = String(size ?? Int64(content.count), radix: 8)
        let number = String(repeating: "0", count: max(0, 11 - digits.utf8.count)) + digits + "\0"
        var header: [UInt8] = []
        header += Self.field(name, 100)
        header += Array("0000600\0".utf8) + Array("0000000\0".utf8) + Array("0000000\0".utf8)
        header += Self.field(sizeField ?? Array(number.utf8), 12)
        header += Array("15166700000\0".utf8)
        header += Array(repeating: 0x20, count: 8)
        header += [type.asciiValue ?? 0]
        header += Self.field(Array(link.utf8), 100)
        header += Array("ustar\u{0}00".utf8)
        header += Array(repeating: 0, count: 512 - header.count)
        let sum = header.reduce(0) { $0 + Int($1) }
        let octal = String(sum, radix: 8)
        let text = String(repeating: "0", count: 6 - octal.utf8.count) + octal + "\0 "
        header.replaceSubrange(148..<156, with: Array(text.utf8))
        bytes += header + content
        bytes += Array(repeating: 0, count: (512 - content.count % 512) % 512)
    }

    /// A pax header for the next entry.
    mutating func addPax(_ records: [(String, String)]) {
        var content: [UInt8] = []
        for (key, value) in records {
            let rest = " \(key)=\(value)\n"
            var length = rest.utf8.count
            while "\(length)".utf8.count + rest.utf8.count != length { length += 1 }
            content += Array("\(length)\(rest)".utf8)
        }
        add(Array("pax".utf8), type: "x", content: content)
    }

    /// The two blocks of zeros that end a tar.
    mutating func end() { bytes += Array(repeating: 0, count: 1024) }

    /// A tar of some files, with its end.
    static func tar(_ files: [(String, String)]) -> [UInt8] {
        var forge = TarForge()
        for (name, content) in files { forge.add(name, content: content) }
        forge.end()
        return forge.bytes
    }

    private static func field(_ text: [UInt8], _ length: Int) -> [UInt8] {
        Array(text.prefix(length)) + Array(repeating: 0, count: max(0, length - text.count))
    }
}
