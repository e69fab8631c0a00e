import CValiseMultiBuffer
import ValiseFailures

/// What is to be said of a page.
package enum PageStatus: UInt8, Sendable {
    /// Its HMAC holds, or the format has none.
    case intact
    /// Its HMAC does not hold: it was changed, or belongs to another file, place or passphrase.
    case damaged
    /// Nothing but zeros. SQLite leaves such pages where it freed one before it was ever written.
    case blank
    /// SQLite's page for locks, which has no content.
    case lock
}

/// Encrypts and decrypts runs of whole pages in place, first page, blank pages and lock page included.
///
/// For one thread; each has its own.
package final class PageCodec {
    package let settings: CipherSettings
    private let key: CipherKey
    private let engine: any PageEngine

    /// What a decrypted database starts with where the salt lay.
    package static let unencryptedMagic = Array("SQLite format 3\0".utf8)

    /// - Throws: ``PageCipherError`` when this machine has no such engine.
    package init(_ settings: CipherSettings, _ key: CipherKey, engine: PageEngineKind? = nil) throws {
        guard settings.isValid else {
            throw PageCipherError(.invalid, "unsupported SQLCipher settings")
        }
        self.settings = settings
        self.key = key
        self.engine = try (engine ?? .best(for: settings)).make(settings, key)
    }

    /// Checks pages and, when asked to, decrypts them in place, the damaged ones as well.
    ///
    /// The IV and what follows it are left undefined.
    ///
    /// - Parameters:
    ///   - memory: whole pages.
    ///   - first: the number of the first of them, from 1.
    ///   - checks: false where it is known already which pages hold: no status of a page counts then.
    package func open(
        _ memory: UnsafeMutableRawBufferPointer, first: UInt32, checks: Bool = true, decrypts: Bool = true
    ) throws(PageCipherError) -> [PageStatus] {
        var statuses = [PageStatus](repeating: .intact, count: memory.count / settings.pageSize)
        var pages: [valise_page] = unsafe []
        unsafe pages.reserveCapacity(statuses.count)
        for index in statuses.indices {
            let number = first + UInt32(index)
            let bytes = unsafe page(index, of: memory)
            if number == settings.lockPage {
                statuses[index] = .lock
            } else if number > 1, unsafe Self.isBlank(bytes) {
                statuses[index] = .blank
            } else {
                unsafe pages.append(descriptor(bytes, number))
            }
        }
        try unsafe withPointer(&pages) { (pages) throws(PageCipherError) in
            try unsafe engine.open(pages, checks: checks, decrypts: decrypts)
        }
        for index in unsafe pages.indices where unsafe !pages[index].intact {
            statuses[unsafe Int(pages[index].number - first)] = .damaged
        }
        if first == 1, decrypts, settings.plaintextHeaderSize == 0 {
            unsafe memory.copyBytes(from: Self.unencryptedMagic)
        }
        return statuses
    }

    /// Encrypts whole pages in place, each under a fresh IV. The lock page becomes zeros.
    package func seal(_ memory: UnsafeMutableRawBufferPointer, first: UInt32) throws(PageCipherError) {
        let count = UInt32(memory.count / settings.pageSize)
        try unsafe seal(memory, numbers: first..<first + count)
    }

    /// The same for pages that do not follow each other in the file: as many numbers as there are pages.
    func seal(
        _ memory: UnsafeMutableRawBufferPointer, numbers: some Sequence<UInt32>
    ) throws(PageCipherError) {
        var pages: [valise_page] = unsafe []
        for (index, number) in numbers.enumerated() {
            let bytes = unsafe page(index, of: memory)
            let reserve = unsafe UnsafeMutableRawBufferPointer(
                rebasing: bytes[(bytes.count - settings.reserve)...])
            if number == settings.lockPage {
                unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
                continue
            }
            // The IV, and where the HMAC leaves a rest of the block that as well, as SQLCipher does.
            try unsafe Randomness.fill(reserve)
            unsafe pages.append(descriptor(bytes, number))
        }
        try unsafe withPointer(&pages) { (pages) throws(PageCipherError) in try unsafe engine.seal(pages) }
        guard settings.plaintextHeaderSize == 0 else { return }
        for (index, number) in numbers.enumerated() where number == 1 {
            unsafe page(index, of: memory).copyBytes(from: key.salt)
        }
    }

    private func page(_ index: Int, of memory: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer
    {
        let start = index * settings.pageSize
        return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + settings.pageSize])
    }

    private func descriptor(_ bytes: UnsafeMutableRawBufferPointer, _ number: UInt32) -> valise_page {
        let head = number == 1 ? settings.firstPageHead : 0
        let content = unsafe bytes.baseAddress?.advanced(by: head).assumingMemoryBound(to: UInt8.self)
        return unsafe valise_page(
            content: content, body: UInt32(settings.pageSize - head - settings.reserve), number: number,
            intact: false)
    }

    private func withPointer(
        _ pages: inout [valise_page],
        _ body: (UnsafeMutableBufferPointer<valise_page>) throws(PageCipherError) -> Void
    ) throws(PageCipherError) {
        var failure: PageCipherError?
        unsafe pages.withUnsafeMutableBufferPointer { pages in
            guard !pages.isEmpty else { return }
            do throws(PageCipherError) { try unsafe body(pages) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private static func isBlank(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        let words = unsafe bytes.bindMemory(to: UInt64.self)
        // Nearly every page is told by its first word.
        return unsafe words.first == 0 && words.allSatisfy { $0 == 0 }
    }
}
