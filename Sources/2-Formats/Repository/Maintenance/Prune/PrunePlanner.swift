import ValiseFailures
package import ValiseStorage

extension PrunePlan {
    /// Plans a prune. Nothing is changed.
    ///
    /// - Parameters:
    ///   - repository: any.
    ///   - rules: how thoroughly.
    ///   - forgotten: snapshots that are removed before the plan is carried out.
    ///   - progress: throw to stop.
    /// - Throws: ``RepositoryError``: `damaged` or `missing` where anything that snapshots use cannot be found, or a snapshot or
    ///   an index cannot be read: what is used is not known then; `StorageError`; whatever `progress` throws.
    package static func make(
        for repository: Repository, _ rules: PruneRules = PruneRules(),
        without forgotten: Set<ContentID> = [], _ progress: MaintenanceProgress = { _, _, _ in }
    ) throws -> PrunePlan {
        let snapshots = try repository.snapshots { throw $0 }.filter { !forgotten.contains($0.id) }
        var index = try StoredIndex.read(repository, progress)
        if let (_, error) = index.unreadable.first { throw error }
        try index.includeMarked()
        if let other = index.repeated.first(where: { !$0.isEqual }) {
            throw RepositoryError(
                .damaged, "index files contradict each other. Nothing was changed.", .file(.data, other.pack))
        }
        let packs = try StoredPacks(repository.store)
        let used = UsedBlobs(index.table)
        try mark(snapshots, used, repository, progress)
        var plan = PrunePlan(repository, index, used.chosen(), snapshots.map(\.id).sorted())
        plan.figures.snapshots = snapshots.count
        (plan.figures.copies.count, plan.figures.copies.bytes) = used.extra
        try PruneSorting(rules, packs).run(&plan)
        return plan
    }

    /// Marks all that snapshots use.
    private static func mark(
        _ snapshots: [StoredSnapshot], _ used: UsedBlobs, _ repository: Repository,
        _ progress: MaintenanceProgress
    ) throws {
        let roots = snapshots.map(\.record.tree)
        @Sendable func use(_ ids: [ContentID], _ kind: BlobKind) throws {
            guard let missing = used.use(ids, kind).first else { return }
            throw RepositoryError(
                .missing,
                "a snapshot uses the \(kind.name) blob \(missing), which is missing. Nothing was changed.",
                repository.store.location)
        }
        try use(roots, .tree)
        try TreeTraversal(repository: repository, table: used.table).run(roots) { tree, node in
            if let content = node.content { try use(content, .data) }
            if let subtree = node.subtree { try use([subtree], .tree) }
            if node.kind == .unknown {
                // Whatever else it refers to is not known.
                throw RepositoryError(
                    .newer, "a newer program made an entry of tree \(tree). Nothing was changed.",
                    repository.store.location)
            }
        } lost: { tree, error in
            throw RepositoryError(
                .damaged, "tree \(tree) cannot be read. Nothing was changed.", repository.store.location,
                cause: error)
        } progress: {
            try progress($0, $1, $2)
        }
    }
}

/// Decides for each pack what happens to it.
private struct PruneSorting {
    private struct Candidate {
        let id: ContentID
        let size: Int64
        let usage: PackUsage

        /// What is won by each byte that is read.
        var share: Double { Double(usage.unusedBytes) / Double(max(1, usage.usedBytes + usage.unusedBytes)) }
        /// Trees are read often, and restic repacks them always.
        var hasTrees: Bool { usage.kinds.contains(.tree) }
    }

    private let rules: PruneRules
    private let packs: StoredPacks

    init(_ rules: PruneRules, _ packs: StoredPacks) {
        self.rules = rules
        self.packs = packs
    }

    func run(_ plan: inout PrunePlan) throws {
        let table = plan.index.table
        let marked = Set(plan.index.marked.map(\.id))
        var partly: [Candidate] = []
        var whole: [Candidate] = []
        for pack in table.packIDs {
            guard let usage = table.usage(ofPack: pack, plan.marks) else { continue }
            let size = packs.size(of: pack)
            plan.figures.used.add(usage.usedBlobs, usage.usedBytes)
            guard usage.usedBlobs > 0 else {
                // What rustic marked waits for its time, like what no index names.
                if !marked.contains(pack) { remove(pack, size, usage, &plan) }
                continue
            }
            guard let size else { throw Self.refusal(.missing, "is missing", pack) }
            guard size == table.expectedPack(pack).size else {
                throw Self.refusal(.damaged, "has another size than the index says", pack)
            }
            plan.figures.unused.add(usage.unusedBlobs, usage.unusedBytes)
            let candidate = Candidate(id: pack, size: size, usage: usage)
            if usage.unusedBlobs > 0 { partly.append(candidate) } else { whole.append(candidate) }
        }
        choose(partly, whole, &plan)
        sortUnindexed(&plan)
        plan.joinsIndexes = joinsIndexes(plan.index)
    }

    private static func refusal(
        _ kind: RepositoryError.Kind, _ what: String, _ pack: ContentID
    ) -> RepositoryError {
        RepositoryError(kind, "a pack that snapshots use \(what). Nothing was changed.", .file(.data, pack))
    }

    private func remove(_ pack: ContentID, _ size: Int64?, _ usage: PackUsage, _ plan: inout PrunePlan) {
        plan.removed.append(pack)
        plan.figures.unused.add(usage.unusedBlobs, usage.unusedBytes)
        if let size { plan.figures.removed.add(size) } else { plan.figures.missing += 1 }
    }

    // MARK: Repacking

    private func choose(_ partly: [Candidate], _ whole: [Candidate], _ plan: inout PrunePlan) {
        let tolerance = rules.tolerance(plan.figures.used.bytes)
        var rest = partly.reduce(0) { $0 + $1.usage.unusedBytes }
        var repackedBytes: Int64 = 0
        var kept = whole
        let order = partly.sorted { left, right in
            if left.hasTrees != right.hasTrees { return left.hasTrees }
            return left.share != right.share ? left.share > right.share : left.id < right.id
        }
        func canRepack(_ candidate: Candidate) -> Bool {
            let fits = rules.mostRepacked.map { repackedBytes + candidate.size <= $0 } ?? true
            return fits && isRepackable(candidate.id, plan)
        }
        func repack(_ candidate: Candidate) {
            repackedBytes += candidate.size
            plan.repacked.append((candidate.id, candidate.size))
            plan.figures.repacked.add(candidate.size)
            plan.figures.rewritten.add(candidate.usage.usedBlobs, candidate.usage.usedBytes)
        }
        for candidate in order {
            let isWanted = rules.tolerated != .unlimited && (candidate.hasTrees || rest > tolerance)
            if isWanted, canRepack(candidate) {
                rest -= candidate.usage.unusedBytes
                repack(candidate)
            } else {
                kept.append(candidate)
            }
        }
        for candidate in smallPacks(kept) where canRepack(candidate) { repack(candidate) }
        let repacked = Set(plan.repacked.map(\.id))
        for candidate in kept where !repacked.contains(candidate.id) {
            plan.kept.insert(candidate.id)
            plan.figures.kept.add(candidate.size)
            plan.figures.remaining.add(candidate.usage.unusedBlobs, candidate.usage.unusedBytes)
        }
    }

    /// Those that are worth to be joined.
    private func smallPacks(_ kept: [Candidate]) -> [Candidate] {
        guard rules.joinsSmallPacks else { return [] }
        return BlobKind.allCases.flatMap { kind in
            let small = kept.filter { candidate in
                candidate.size < PruneRules.smallPack && candidate.usage.kinds == [kind]
                    && candidate.usage.usedBlobs < PackBuilder.mostBlobs / 2
            }
            return small.count >= PruneRules.manySmallPacks ? small.sorted { $0.id < $1.id } : []
        }
    }

    /// Whether packs of ours can have all of its blobs: others may write larger ones.
    private func isRepackable(_ pack: ContentID, _ plan: PrunePlan) -> Bool {
        let table = plan.index.table
        return table.positions(inPack: pack).allSatisfy { position in
            guard plan.marks.contains(position) else { return true }
            let place = table.location(at: position)
            let size =
                Int64(place.uncompressedLength ?? place.length)
                - (place.uncompressedLength == nil ? Int64(SealingContext.overhead) : 0)
            return (1...Int64(PackBuilder.largestBlob)).contains(size)
        }
    }

    // MARK: What no index names

    private func sortUnindexed(_ plan: inout PrunePlan) {
        let table = plan.index.table
        let marked = Set(plan.index.marked.map(\.id))
        for pack in packs.files {
            let isUnused =
                marked.contains(pack.id) && !plan.kept.contains(pack.id)
                && !plan.repacked.contains { $0.id == pack.id }
            guard !table.hasPack(pack.id) || isUnused else { continue }
            if rules.removesUnindexed(pack.id, pack.size) {
                plan.unindexed.append(pack.id)
                plan.figures.unindexed.add(pack.size)
            } else {
                plan.spared.append(pack.id)
                plan.figures.spared.add(pack.size)
            }
        }
    }

    /// Where half of the files would do, and those are many.
    private func joinsIndexes(_ index: StoredIndex) -> Bool {
        let needed = index.table.count / IndexRecord.mostBlobs + 1
        return index.files.count >= 2 * needed + 10
    }
}
