import ValiseAccounts
import ValiseBackups
import ValiseEncoding
import ValiseFailures
import ValiseFiles

extension RestoreJob {
    /// In bytes, with names, folders and the rounding to whole blocks.
    static func space(for files: [AccountEntry]) -> Int64 {
        files.reduce(Int64(1 << 20)) { $0 + $1.size + 4096 }
    }

    func freeSpace() throws -> Int64 {
        try fileSystem.freeSpace(at: fileSystem.nearestExisting(location.directory))
    }

    func refuseShortage(of files: [AccountEntry], and more: Int64 = 0) throws {
        let needed = Self.space(for: files) + more
        let free = try freeSpace()
        guard free >= needed else {
            throw OperationError(
                .noSpace,
                "not enough free space: \(Count.bytes(needed)) needed, \(Count.bytes(free)) available. Nothing was changed.",
                subject: location.directory.string, remedy: .freeSpace(needed, in: location.directory))
        }
    }
}
