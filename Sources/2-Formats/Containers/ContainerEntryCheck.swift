import ValiseArchives
import ValiseEncoding
import ValiseFailures

/// The defenses that an entry has to pass before its content is read: those of a zip, entry by entry.
struct ContainerEntryCheck {
    private let limits: ZipLimits
    /// In bytes, as the archive lies on the disk.
    private let archiveSize: Int64

    private(set) var entries = 0
    private(set) var totalSize: Int64 = 0
    private var names = FoldedNames()
    private var files = FoldedNames()
    private var folders = FoldedNames()
    /// Hashes of the names as they are, to say which of two defects a twin is.
    private var exactNames: Set<Int> = []
    private var lastFolder = ""

    init(_ limits: ZipLimits, archiveSize: Int64) {
        self.limits = limits
        self.archiveSize = archiveSize
    }

    mutating func count() throws(ContainerError) {
        entries += 1
        guard entries <= limits.entries else {
            throw .unsupported(
                .tooManyEntries, "the archive has more entries than the limit of \(limits.entries)")
        }
    }

    /// - Throws: ``ContainerError`` where the entry counts as the same as another one.
    mutating func check(_ entry: ContainerEntry) throws(ContainerError) {
        guard names.insert(entry.name) else { throw twin(of: entry) }
        exactNames.insert(Self.hash(entry.name))
        try checkFolders(of: entry)
    }

    // MARK: Names

    private func twin(of entry: ContainerEntry) -> ContainerError {
        exactNames.contains(Self.hash(entry.name))
            ? .damaged(.nameDuplicate, "duplicate entry name", entry: entry.name)
            : .unsupported(
                .nameCase, "differs from another entry only in case or Unicode normalization",
                entry: entry.name)
    }

    private static func hash(_ name: String) -> Int {
        var hasher = Hasher()
        for byte in name.utf8 { hasher.combine(byte) }
        return hasher.finalize()
    }

    private mutating func checkFolders(of entry: ContainerEntry) throws(ContainerError) {
        if !entry.isFolder {
            guard !folders.contains(entry.name) else { throw Self.fileAsFolder(entry) }
            _ = files.insert(entry.name)
        }
        let parent = Self.parent(of: entry.name)
        // Most entries lie in one folder, which is looked up once.
        guard !parent.utf8.elementsEqual(lastFolder.utf8) else { return }
        lastFolder = parent
        guard !files.containsFolder(above: entry.name) else { throw Self.fileAsFolder(entry) }
        folders.insertFolders(above: entry.name)
    }

    private static func fileAsFolder(_ entry: ContainerEntry) -> ContainerError {
        .damaged(
            .nameFileAsFolder, "its folder has the same name as another entry, a file", entry: entry.name)
    }

    /// By bytes, as the file system sees a slash.
    private static func parent(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
    }

    // MARK: Sizes

    /// Counts unpacked bytes of an entry.
    /// - Throws: ``ContainerError`` where all entries together grow too much.
    mutating func add(_ size: Int64, of entry: ContainerEntry) throws(ContainerError) {
        let (sum, overflow) = totalSize.addingReportingOverflow(size)
        guard !overflow, sum <= limits.totalSize else {
            let isLimited = limits.totalSize != .max
            throw ContainerError(
                isLimited ? .noSpace : .damaged, .totalSize,
                "the entries expand to more than the allowed \(Count.bytes(limits.totalSize))",
                entry: entry.name, remedy: isLimited ? .raiseSizeLimit : nil)
        }
        totalSize = sum
        guard !limits.isExceeded(by: sum, compressedSize: archiveSize) else {
            throw .tooMuchGrowth(limits, entry: entry.name)
        }
    }
}

extension ContainerError {
    static func tooMuchGrowth(_ limits: ZipLimits, entry: String? = nil) -> ContainerError {
        .unsupported(
            .ratio, "grows by more than \(limits.ratio) times, like a decompression bomb", entry: entry,
            remedy: .raiseGrowthLimit)
    }
}
