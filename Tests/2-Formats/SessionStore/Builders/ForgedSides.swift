import ValiseEncoding

/// A write-ahead log or a rollback journal that SQLite takes for whole, with one page.
enum ForgedSides {
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    private static let sector = 512

    /// - Parameters:
    ///   - page: what is put back.
    ///   - number: of the page, from 1.
    ///   - pages: how many the database has.
    ///   - name: of a file that decides over several databases.
    static func journal(
        _ page: [UInt8], number: UInt32 = 1, pages: Int, pageSize: Int? = nil, naming name: String? = nil
    ) -> [UInt8] {
        let nonce: UInt32 = 0x1234_5678
        var bytes = magic
        for field in [1, nonce, UInt32(pages), UInt32(sector), UInt32(pageSize ?? page.count)] {
            bytes.append(bigEndian: field)
        }
        bytes += [UInt8](repeating: 0, count: sector - bytes.count)
        bytes.append(bigEndian: number)
        bytes += page
        bytes.append(
            bigEndian: stride(from: page.count - 200, to: 0, by: -200).reduce(nonce) {
                $0 &+ UInt32(page[$1])
            }
        )
        guard let name else { return bytes }
        bytes += [UInt8](repeating: 0, count: (sector - bytes.count % sector) % sector)
        bytes.append(bigEndian: UInt32(0x4000_0000 / page.count) + 1)
        bytes += Array(name.utf8)
        bytes.append(bigEndian: UInt32(name.utf8.count))
        bytes.append(bigEndian: name.utf8.reduce(0 as UInt32) { $0 + UInt32($1) })
        return bytes + magic
    }

    /// - Parameters:
    ///   - page: the first page.
    ///   - pages: how many the database has.
    ///   - pageSize: what the header claims; nil for the truth.
    static func log(_ page: [UInt8], pages: Int, pageSize: Int? = nil) -> [UInt8] {
        var sum = Sum()
        var header: [UInt8] = []
        for field in [0x377f_0683, 3_007_000, UInt32(pageSize ?? page.count), 0, 7, 9] as [UInt32] {
            header.append(bigEndian: field)
        }
        sum.add(header)
        var frame: [UInt8] = []
        for field in [1, UInt32(pages)] { frame.append(bigEndian: field) }
        let bytes = header + sum.bytes
        sum.add(frame + page)
        for field in [7, 9] as [UInt32] { frame.append(bigEndian: field) }
        return bytes + frame + sum.bytes + page
    }

    /// Of a log: over pairs of numbers.
    private struct Sum {
        private var (first, second): (UInt32, UInt32) = (0, 0)

        mutating func add(_ bytes: [UInt8]) {
            for place in stride(from: 0, to: bytes.count, by: 8) {
                first &+= number(bytes[place..<place + 4]) &+ second
                second &+= number(bytes[place + 4..<place + 8]) &+ first
            }
        }

        var bytes: [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(bigEndian: first)
            bytes.append(bigEndian: second)
            return bytes
        }

        private func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            bytes.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
