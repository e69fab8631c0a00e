import ValiseEncoding
import ValiseFailures
import ValiseStorage

extension RepositoryCheck {
    // MARK: Index

    /// What index files say, compared with the packs that are stored.
    func checkIndex(_ index: StoredIndex, _ packs: StoredPacks, _ findings: CheckFindings) {
        for (file, error) in index.unreadable {
            findings.add(CheckFinding(.unreadableIndex, error.sentence, .file(.index, file)))
        }
        for repeated in index.repeated {
            findings.add(
                CheckFinding(
                    repeated.isEqual ? .repeatedPack : .contradictoryIndexes,
                    repeated.isEqual
                        ? "listed in several index files" : "index files contradict each other",
                    .file(.data, repeated.pack)))
        }
        for pack in index.table.packIDs { check(pack, packs.size(of: pack), index.table, findings) }
        let marked = Set(index.marked.map(\.id))
        for pack in packs.files where !index.table.hasPack(pack.id) {
            let size = Count.bytes(pack.size)
            findings.add(
                marked.contains(pack.id)
                    ? CheckFinding(.markedPack, "marked for removal (\(size))", .file(.data, pack.id))
                    : CheckFinding(.unindexedPack, "in no index (\(size))", .file(.data, pack.id)))
        }
    }

    private func check(
        _ pack: ContentID, _ size: Int64?, _ table: BlobTable, _ findings: CheckFindings
    ) {
        let file = StoredName.file(.data, pack)
        let expected = table.expectedPack(pack)
        if !expected.isContinuous {
            findings.add(
                CheckFinding(.brokenLayout, "by the index its blobs do not follow each other", file))
        } else if let size, size != expected.size {
            findings.add(
                CheckFinding(
                    .wrongPackSize, "\(Count.text(size, "byte")), expected \(expected.size)", file))
        }
        if expected.kinds.count > 1 {
            findings.add(CheckFinding(.mixedPack, "contains data and trees", file))
        }
        guard let size else {
            findings.add(CheckFinding(.missingPack, "pack is missing", file))
            return findings.spoil(table.positions(inPack: pack))
        }
        findings.spoil(
            table.positions(inPack: pack).filter { position in
                let place = table.location(at: position)
                return Int64(place.offset) + Int64(place.length) > size
            })
    }

    // MARK: Trees

    /// Walks through all trees.
    /// - Returns: how many there are.
    func checkTrees(
        _ snapshots: [StoredSnapshot], _ used: UsedBlobs, _ findings: CheckFindings,
        _ progress: MaintenanceProgress
    ) throws -> Int {
        let roots = snapshots.map(\.record.tree)
        let traversal = TreeTraversal(repository: repository, table: used.table)
        let count = try traversal.run(roots) { tree, node in
            if let problem = Self.problem(of: node) {
                findings.add(
                    CheckFinding(
                        .invalidNode, "\(Self.name(node)) \(problem)",
                        blob: CheckFinding.Blob(kind: .tree, id: tree)))
            }
            for id in used.use(node.content ?? [], .data) {
                let blob = CheckFinding.Blob(kind: .data, id: id)
                findings.lose(blob, CheckFinding(.missingBlob, "data blob \(id) is missing", blob: blob))
            }
            if let subtree = node.subtree { _ = used.use([subtree], .tree) }
            checkSize(of: node, in: tree, used.table, findings)
        } lost: { tree, error in
            let blob = CheckFinding.Blob(kind: .tree, id: tree)
            let isMissing = used.table.position(of: tree, .tree) == nil
            let finding =
                isMissing
                ? CheckFinding(.missingBlob, "tree blob \(tree) is missing", blob: blob)
                : CheckFinding(
                    .unreadableTree, "tree \(tree): \(error.sentence)", traversal.file(of: tree), blob: blob)
            findings.lose(blob, finding)
        } unsorted: { tree in
            findings.add(
                CheckFinding(
                    .unsortedTree, "the names of tree \(tree) are not in order", traversal.file(of: tree),
                    blob: CheckFinding.Blob(kind: .tree, id: tree)))
        } progress: {
            try progress($0, $1, $2)
        }
        _ = used.use(roots, .tree)
        return count
    }

    private static func name(_ node: TreeNode) -> String { "'\(String(decoding: node.name, as: UTF8.self))'" }

    private static func problem(of node: TreeNode) -> String? {
        switch node.kind {
        case .file where node.content == nil: "has no list of its blobs"
        case .folder where node.subtree == nil: "has no tree"
        default: nil
        }
    }

    private func checkSize(
        of node: TreeNode, in tree: ContentID, _ table: BlobTable, _ findings: CheckFindings
    ) {
        guard node.kind == .file, let content = node.content else { return }
        var size: UInt64 = 0
        for id in content {
            guard let position = table.position(of: id, .data) else { return }
            size += UInt64(max(0, PackedBlob(id, table.location(at: position)).contentLength))
        }
        guard size != node.size else { return }
        findings.add(
            CheckFinding(
                .wrongFileSize,
                "\(Self.name(node)): \(Count.text(size, "byte")) of content, expected \(node.size)",
                blob: CheckFinding.Blob(kind: .tree, id: tree)))
    }

    // MARK: End

    /// Which snapshots lose something, and by which finding.
    func finish(
        _ report: inout CheckReport, _ snapshots: [StoredSnapshot], _ index: StoredIndex,
        _ findings: CheckFindings, _ progress: MaintenanceProgress
    ) throws {
        (report.findings, report.omitted) = findings.all
        let losses = findings.losses
        report.damagedPacks = findings.damagedPacks
        report.isLost = { losses.contains($0.id, $0.kind) }
        if !losses.areNone {
            let search = LossSearch(repository: repository, table: index.table, losses: losses)
            let results = try search.run(snapshots, progress)
            report.losses = results.map(\.loss)
            assign(results, losses, &report.findings)
        }
        let order = Dictionary(uniqueKeysWithValues: CheckFinding.Kind.allCases.enumerated().map { ($1, $0) })
        // Those of one kind stay in the order of their files.
        report.findings.sort { left, right in
            let places = (order[left.kind] ?? 0, order[right.kind] ?? 0)
            return places.0 != places.1
                ? places.0 < places.1 : (left.file?.description ?? "") < (right.file?.description ?? "")
        }
    }

    private func assign(
        _ results: [LossSearch.Result], _ losses: CheckFindings.Losses, _ findings: inout [CheckFinding]
    ) {
        var byBlob: [CheckFinding.Blob: [Int]] = [:]
        var byPack: [ContentID: [Int]] = [:]
        for (number, finding) in findings.enumerated() where finding.severity == .error {
            if let blob = finding.blob {
                byBlob[blob, default: []].append(number)
            } else if case .file(.data, let pack) = finding.file {
                byPack[pack, default: []].append(number)
            }
        }
        for result in results {
            var concerned: Set<Int> = []
            for blob in result.blobs {
                concerned.formUnion(byBlob[blob] ?? [])
                guard !byPack.isEmpty else { continue }
                for pack in losses.packs(of: blob.id, blob.kind) { concerned.formUnion(byPack[pack] ?? []) }
            }
            for number in concerned { findings[number].snapshots.append(result.loss.snapshot) }
        }
    }
}

extension TreeTraversal {
    /// The first pack that has a tree.
    func file(of tree: ContentID) -> StoredName? {
        table.position(of: tree, .tree).map { .file(.data, table.location(at: $0).pack) }
    }
}
