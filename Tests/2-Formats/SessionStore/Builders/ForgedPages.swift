import FaultInjection
import SessionBuilders
import ValiseEncoding
import ValisePages
import ValiseSecrets

/// Changes the content of pages behind their codes of authentication, as a program with a fault writes them.
struct ForgedPages {
    private let codec: PageCodec
    private let intact: [UInt8]
    let pageSize: Int

    /// - Parameters:
    ///   - file: of SQLCipher 4, or what the settings say.
    ///   - key: 64 hexadecimal digits, or 96 with the salt where the header is not encrypted.
    init(_ file: [UInt8], key: String, _ settings: CipherSettings = .format4) throws {
        var settings = settings
        if key.utf8.count > 64 { settings.plaintextHeaderSize = 32 }
        let codec = try PageCodec(
            settings,
            CipherKey(
                passphrase: SecretBytes(copying: Array("x'\(key)'".utf8)), salt: Array(file.prefix(16)),
                settings: settings))
        pageSize = settings.pageSize
        var content = file
        let statuses = try content.withUnsafeMutableBytes { try codec.open($0, first: 1) }
        guard statuses.allSatisfy({ $0 == .intact || $0 == .blank }) else {
            throw ForgedPagesError()
        }
        self.codec = codec
        intact = content
    }

    /// The file with some bits, bytes or whole stretches of some pages changed.
    func changed(_ random: inout SeededGenerator) throws -> [UInt8] {
        var content = intact
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            // The first page has the schema, and what all other pages depend on.
            let page =
                Bool.random(using: &random) ? Int.random(in: 0..<content.count / pageSize, using: &random) : 0
            let place = page * pageSize + Int.random(in: 16..<pageSize - 80, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: content[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 1: content[place] = UInt8.random(in: 0...255, using: &random)
            case 2: content[page * pageSize + Int.random(in: 0..<12, using: &random)] ^= 0xff
            default:
                let end = min(place + Int.random(in: 1...64, using: &random), (page + 1) * pageSize - 80)
                for index in place..<end { content[index] = UInt8.random(in: 0...255, using: &random) }
            }
        }
        return try sealed(content)
    }

    /// The file with one byte of its first page changed.
    func changed(at place: Int, to value: UInt8) throws -> [UInt8] {
        var content = intact
        content[place] = value
        return try sealed(content)
    }

    private func sealed(_ content: [UInt8]) throws -> [UInt8] {
        var file = content
        try file.withUnsafeMutableBytes { memory in
            for page in 0..<memory.count / pageSize {
                let bytes = UnsafeMutableRawBufferPointer(
                    rebasing: memory[page * pageSize..<(page + 1) * pageSize])
                guard page == 0 || !bytes.allSatisfy({ $0 == 0 }) else { continue }
                try codec.seal(bytes, first: UInt32(page) + 1)
            }
        }
        return file
    }
}

/// The pages to start from are not intact.
struct ForgedPagesError: Error {}
