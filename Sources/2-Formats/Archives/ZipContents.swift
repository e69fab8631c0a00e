package import ValiseFiles

/// The contents of a zip file whose structure a ``ZipIndex`` has checked: unpacks and checks them on all cores.
///
/// It takes bounded memory, some 32 MiB at most, whatever the entries claim or hold.
package struct ZipContents: Sendable {
    private let index: ZipIndex
    private let archive: any ByteSource

    /// - Parameters:
    ///   - index: read from the same archive.
    ///   - archive: the zip file.
    package init(_ index: ZipIndex, _ archive: any ByteSource) {
        self.index = index
        self.archive = archive
    }

    /// Unpacks every wanted file entry without keeping anything, and compares size and CRC-32.
    ///
    /// Entries go side by side, a large one on all cores as far as its packing allows.
    ///
    /// - Parameters:
    ///   - isWanted: asked once for each entry that is a file.
    ///   - progress: called on the calling thread with the packed bytes done so far; throw to stop.
    /// - Returns: what is wrong, in the order of the file.
    /// - Throws: an error of the source when the file itself cannot be read; what `progress` throws.
    package func check(
        only isWanted: (ZipEntry) -> Bool = { _ in true }, progress: (Int64) throws -> Void = { _ in }
    ) throws -> [(entry: ZipEntry, error: ZipError)] {
        try ContentsCheck(index.filesInOrder.filter(isWanted), archive).run(progress)
    }

    /// Unpacks one entry, in order and in pieces.
    ///
    /// - Parameters:
    ///   - entry: the one that is read.
    ///   - consume: gets the bytes on the calling thread, never more than the entry claims. They may be
    ///     used only when this has returned without an error.
    /// - Throws: ``ZipError`` with `damaged`, at the end too, when size or checksum are wrong; an error of the
    ///   source; what `consume` throws.
    package func read(_ entry: ZipEntry, into consume: (UnsafeRawBufferPointer) throws -> Void) throws {
        // A small one is not worth a thread.
        if entry.size <= Int64(UnpackingSlot.capacity) {
            return try unsafe EntryUnpacker().unpack(entry, in: archive, consume)
        }
        var damage: ZipError?
        try unsafe ContentsReader([entry], archive).run(
            begin: { _ in true }, consume: unsafe consume, end: { damage = $1 })
        if let damage { throw damage }
    }

    /// What happened to one entry.
    package enum Outcome: Sendable {
        /// All bytes came, and the checksum is right.
        case intact
        /// The entry's data are wrong; what came of them must not be used.
        case damaged(ZipError)
    }

    /// Unpacks the wanted entries in the order of the file. The closures are called on this thread, while others
    /// unpack what comes next.
    ///
    /// - Parameters:
    ///   - begin: called for each entry that is a file; false passes over it.
    ///   - consume: gets the entry's bytes in pieces, never more than it claims; throw to stop everything.
    ///   - end: called once for each entry that was begun.
    /// - Throws: an error of the source; whatever the closures throw. A damaged entry is no such failure: it is
    ///   told to `end`, and the next entries follow.
    package func extract(
        begin: (ZipEntry) throws -> Bool,
        consume: (UnsafeRawBufferPointer) throws -> Void,
        end: (ZipEntry, Outcome) throws -> Void
    ) throws {
        try unsafe ContentsReader(index.filesInOrder, archive).run(
            begin: begin, consume: consume, end: { try end($0, $1.map { .damaged($0) } ?? .intact) })
    }
}

extension ZipIndex {
    /// As they lie in the archive.
    var filesInOrder: [ZipEntry] {
        entries.filter { !$0.isFolder }.sorted { $0.localOffset < $1.localOffset }
    }
}
