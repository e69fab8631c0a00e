import Fuzzing

@testable import ValiseMaintenance
@testable import ValisePages

/// Pages of anybody's that are encrypted here, so that their HMACs hold; some are damaged afterwards.
///
/// Three bytes come first: the settings, and which byte of which page is changed.
enum SealedTarget {
    private static let settings: [CipherSettings] = {
        var all = CipherSettings.formats.map(\.settings)
        var small = CipherSettings.format4
        small.pageSize = 1024
        all.append(small)
        return all
    }()

    static func run(_ bytes: [UInt8]) {
        guard bytes.count > 3 else { return }
        let settings = settings[Int(bytes[0]) % settings.count]
        let pageSize = settings.pageSize
        let content = Array(bytes[3...].prefix(bytes.count / pageSize * pageSize))
        let count = content.count / pageSize
        guard count > 0 else { return }
        do {
            var sealed = try seal(Array(content.prefix(count * pageSize)), settings)
            let damaged = bytes[1] == 0 ? nil : Int(bytes[1]) % count
            if let damaged { sealed[damaged * pageSize + 16 + Int(bytes[2])] ^= 1 }
            try look(sealed, settings, damaged: damaged)
        } catch {
            FuzzRun.require(false, "pages are read back whatever they hold (\(error))")
        }
    }

    /// Pages of zeros stay as they are: SQLite leaves such.
    private static func seal(_ content: [UInt8], _ settings: CipherSettings) throws -> [UInt8] {
        let key = try CipherKey(
            passphrase: try RawKeyText.secret(), salt: [UInt8](repeating: 9, count: 16), settings: settings)
        let codec = try PageCodec(settings, key)
        var sealed = content
        try sealed.withUnsafeMutableBytes { memory in
            for index in 0..<memory.count / settings.pageSize {
                let start = index * settings.pageSize
                let page = UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + settings.pageSize])
                guard index == 0 || !page.allSatisfy({ $0 == 0 }) else { continue }
                try codec.seal(page, first: UInt32(index) + 1)
            }
        }
        return sealed
    }

    private static func look(_ sealed: [UInt8], _ settings: CipherSettings, damaged: Int?) throws {
        let result = try CipherIdentification.identify(
            MemorySource(sealed), passphrase: try RawKeyText.secret())
        guard settings.hmacAlgorithm != nil, sealed.count > settings.pageSize else {
            if let file = result.file { FileReaders.run(file) }
            return
        }
        guard let file = result.file else {
            // Then only the other pages speak for the key, and those may be blank.
            return FuzzRun.require(damaged == 0, "the key opens the file")
        }
        if damaged != 0 {
            // Formats 3 and 2 differ in their key derivation alone, which a raw key passes by.
            FuzzRun.require(
                file.settings.pageSize == settings.pageSize
                    && file.settings.hmacAlgorithm == settings.hmacAlgorithm, "the settings are found")
        }
        FileReaders.run(file, damaged: damaged)
    }
}
