import ValiseConcurrency
import ValiseFailures

/// Moves bodies below records that stay.
extension StoreMigrationWork {
    func moveBytes(_ usage: StoreUsage, _ progress: ProgressHandler) throws {
        var pages = RecordPages(source.records, size: migration.pageSize)
        var done = 0
        while case let page = try Self.page(&pages, names: migration.pageSize), !page.isEmpty {
            try onThreads(page, { try self.moveBytes(of: $0) }) { count in
                try progress(
                    OperationProgress(
                        "moving chunks", completed: Int64(done + count),
                        total: Int64(max(usage.chunks, done + count)), unit: .items))
            }
            done += page.count
        }
        if isFinal { try removeSurplus(progress) }
    }

    private static func page(_ pages: inout RecordPages, names: Int) throws -> [ListedChunk] {
        var (page, count) = ([ListedChunk](), 0)
        while count < names, let chunk = try pages.peek() {
            page.append(chunk)
            count += chunk.nameCount
            pages.skip()
        }
        return page
    }

    private func moveBytes(of chunk: ListedChunk) throws {
        note { $0.count(chunk) }
        guard let body = chunk.body else { return }
        if try destination.bytes.has(body) { return note { $0.presentBodies += 1 } }
        guard let content = try source.bytes.open(body.name, size: body.size) else {
            return note { $0.missing(body.name) }
        }
        let incoming: any IncomingBody
        do {
            incoming = try destination.bytes.begin(
                body.name, size: body.size, digest: chunk.chunk.digest)
        } catch {
            content.close()
            throw error
        }
        do {
            try unsafe content.forEachPiece(of: body.size) { try unsafe incoming.write($0) }
            try incoming.finish()
            try incoming.publish()
        } catch {
            try? incoming.cancel()
            try noteLoss(of: body, chunk.chunk, error)
            return
        }
        note {
            $0.movedBodies += 1
            $0.movedBytes += Int64(body.size)
        }
    }

    /// Removes from the destination what no record of the source names any more.
    private func removeSurplus(_ progress: ProgressHandler) throws {
        var check = StoreCheck(RelayStores(source.records, destination.bytes))
        check.incomingAge = 0
        check.patience = .zero
        check.clock = migration.clock
        _ = try check.run(progress) { finding in
            guard finding.kind == .unrecorded else { return }
            try self.destination.bytes.remove(finding.body)
            self.note { $0.removedBodies += 1 }
        }
    }
}
