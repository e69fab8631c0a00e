package import SystemPackage
import ValiseConcurrency
import ValiseEncoding
package import ValiseFailures
package import ValiseFiles

/// Writes a file anew under another key, page by page: the content of every page stays what it is.
package struct PageReencryption: Sendable {
    private let source: EncryptedDatabaseFile
    private let newKey: CipherKey
    private let engine: PageEngineKind?
    private let workers: Int
    private let remedy: Remedy?

    /// - Parameters:
    ///   - source: the file under its old key.
    ///   - newKey: derived with the same settings.
    ///   - engine: nil for the fastest.
    ///   - workers: how many threads share the work.
    ///   - remedy: what can be done about damaged pages.
    package init(
        of source: EncryptedDatabaseFile, under newKey: CipherKey, engine: PageEngineKind? = nil,
        workers: Int = ParallelBatches.waitingWorkers, remedy: Remedy? = nil
    ) {
        self.source = source
        self.newKey = newKey
        self.engine = engine
        self.workers = workers
        self.remedy = remedy
    }

    /// Verifies every page under the old key and writes it under the new one, on all cores.
    ///
    /// Once a damaged page was found nothing more is written; the rest is only verified, so that the error
    /// names all that are damaged.
    ///
    /// - Parameters:
    ///   - target: an empty file. It is not flushed.
    ///   - progress: gets the number of bytes done; throw to stop.
    /// - Returns: what tells whether the file, once it is flushed, is what was written.
    /// - Throws: ``PageCipherError`` with `damaged` and the pages; `FileError`; errors of the source; whatever
    ///   `progress` throws.
    @discardableResult
    package func write(
        to target: ParallelWriter, progress: (Int64) throws -> Void = { _ in }
    ) throws -> WrittenPages {
        let findings = PageFindings()
        let written = try WrittenPages(source, under: newKey, engine: engine)
        let batches = source.batches
        let pageSize = source.settings.pageSize
        try ParallelBatches.run(count: batches.count, workers: workers) {
            (
                old: try PageWorker(source, engine: engine),
                new: try PageCodec(source.settings, newKey, engine: engine)
            )
        } work: { worker, batch in
            let range = batches.pages(batch)
            try unsafe source.readPages(range, into: worker.old.memory)
            let memory = unsafe UnsafeMutableRawBufferPointer(
                rebasing: worker.old.memory[..<(range.count * pageSize)])
            unsafe findings.note(
                try worker.old.codec.open(memory, first: range.lowerBound), first: range.lowerBound)
            guard !findings.hasDamage else { return }
            try unsafe written.noteContent(batch, UnsafeRawBufferPointer(memory))
            try unsafe worker.new.seal(memory, first: range.lowerBound)
            try unsafe written.note(batch, UnsafeRawBufferPointer(memory))
            try unsafe target.write(UnsafeRawBufferPointer(memory), at: source.offset(of: range.lowerBound))
        } report: {
            let bytes = batches.pages(in: $0) * Int64(pageSize)
            target.startWriteback(upTo: bytes)
            try progress(bytes)
        }
        let verification = try findings.verification(of: source)
        guard verification.isSound else { throw source.damage(verification, remedy: remedy) }
        return written
    }
}

extension EncryptedDatabaseFile {
    /// The error that names what is damaged.
    /// - Parameters:
    ///   - verification: what was found of the pages.
    ///   - name: what it calls the file, where that is a copy.
    ///   - remedy: what can be done about it, where whoever calls this knows of which account it is.
    package func damage(
        _ verification: PageVerification, named name: FilePath? = nil, remedy: Remedy? = nil
    ) -> PageCipherError {
        var problems: [String] = []
        if !verification.damaged.isEmpty {
            let count = verification.damaged.count
            problems.append("\(Count.noun(count, "page")) \(verification.damaged.text())")
        }
        if verification.trailingBytes > 0 {
            problems.append("the end, cut off inside page \(verification.pageCount + 1)")
        }
        return PageCipherError(
            .damaged,
            "damaged: \(problems.joined(separator: ", and ")) (of \(verification.pageCount)). "
                + "Nothing was changed.",
            file: (name ?? path).string, pages: verification.damaged, remedy: remedy)
    }
}
