package import ValiseAccountArchives
import ValiseAccounts
import ValiseBackups
import ValiseConcurrency
import ValiseEncoding
package import ValiseFailures
import ValiseFiles

/// What a restore would do.
package struct RestorePlan: Encodable, TimedPlan {
    package let snapshot: SnapshotSketch
    /// The folder of the account.
    package let directory: String
    package let prefix: String
    /// How many files would be written, databases included.
    package let files: Int
    /// In bytes.
    package let size: Int64
    /// Files that are there already, and would stay as they are.
    package let skipped: Int
    /// In bytes.
    package let spaceNeeded: Int64
    package let freeSpace: Int64
    /// Whether the folder would be made.
    package let makesDirectory: Bool
    package let replacesAccount: Bool
    /// Whether a passphrase is needed to encrypt the databases.
    package let needsPassphrase: Bool
    /// How old the snapshot is against the account that it would replace; nil where none is.
    package let age: ImportAge?
    /// Where the replaced account would be kept; nil for nowhere.
    package let keptPrevious: String?
    /// Why nothing would be changed.
    package let refusal: (any Failure)?

    package var bytesToProcess: Int64 { size }

    private enum CodingKeys: CodingKey {
        case snapshot, directory, prefix, files, size, skipped, spaceNeeded, freeSpace, makesDirectory
        case replacesAccount, needsPassphrase, age, keptPrevious, refusal
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(snapshot, forKey: .snapshot)
        try container.encode(directory, forKey: .directory)
        try container.encode(prefix, forKey: .prefix)
        try container.encode(files, forKey: .files)
        try container.encode(size, forKey: .size)
        try container.encode(skipped, forKey: .skipped)
        try container.encode(spaceNeeded, forKey: .spaceNeeded)
        try container.encode(freeSpace, forKey: .freeSpace)
        try container.encode(makesDirectory, forKey: .makesDirectory)
        try container.encode(replacesAccount, forKey: .replacesAccount)
        try container.encode(needsPassphrase, forKey: .needsPassphrase)
        try container.encodeIfPresent(age, forKey: .age)
        try container.encodeIfPresent(keptPrevious, forKey: .keptPrevious)
        try container.encodeIfPresent(
            refusal.map { Remark($0.message, remedy: $0.remedy) }, forKey: .refusal)
    }
}

extension RestoreJob {
    /// What it would do. Nothing is written, and nobody is asked for what encrypts the databases.
    func plan(_ keys: RestoreKeys, _ progress: ProgressHandler) throws -> RestorePlan {
        try refuseObstacles()
        let present = try present()
        let files = contents.files.filter { !present.contains($0.name) }
        let replacement = RestoreReplacement(self)
        let isReplacing = try way == .account && replacement.replaced() > 0
        try progress(OperationProgress("comparing with the account in place"))
        let age = isReplacing ? try replacement.age(keys) : nil
        let (needed, free) = (Self.space(for: files), try freeSpace())
        let shortage = OperationError(
            .noSpace,
            "not enough free space: \(Count.bytes(needed)) needed, \(Count.bytes(free)) available")
        return RestorePlan(
            snapshot: SnapshotSketch(snapshot), directory: location.directory.string, prefix: location.prefix,
            files: files.count, size: files.reduce(0) { $0 + $1.size }, skipped: present.count,
            spaceNeeded: needed, freeSpace: free,
            makesDirectory: try !fileSystem.exists(location.directory), replacesAccount: isReplacing,
            needsPassphrase: contents.needsPassphrase && !choice.isUnencrypted, age: age,
            keptPrevious: try way == .account ? replacement.previous()?.location.directory.string : nil,
            refusal: free < needed ? shortage : replacement.refusal(age))
    }
}
