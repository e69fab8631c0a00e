import Synchronization
import SystemPackage
import ValiseAccounts
import ValiseArchives
import ValiseFiles

/// An entry whose checksum is compared before its bytes are shown. The pages of encrypted databases have tags of their own, and
/// databases are too large to be read twice: they are shown without.
final class CheckedEntry: VerifiedSource {
    private let entry: ZipEntry
    private let source: any ByteSource
    private let archive: ArchiveStorage
    private let isVerified: Mutex<Bool>

    var size: Int64 { source.size }
    var path: FilePath { source.path }

    init(_ entry: ZipEntry, _ source: any ByteSource, in archive: ArchiveStorage) {
        self.entry = entry
        self.source = source
        self.archive = archive
        let isDatabase = if case .database = ArchiveLayout.role(of: entry.name) { true } else { false }
        isVerified = Mutex(isDatabase)
    }

    func verify(checkpoint: () throws -> Void) throws {
        try isVerified.withLock { isVerified in
            guard !isVerified else { return }
            let problems = try archive.contents.check(only: { $0 == entry }) { _ in try checkpoint() }
            if let problem = problems.first { throw problem.error }
            isVerified = true
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        try unsafe source.read(into: buffer, at: offset)
    }
}
