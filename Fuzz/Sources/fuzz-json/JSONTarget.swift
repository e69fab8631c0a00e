import Fuzzing
import SystemPackage
import ValiseAccountArchives
import ValiseDatabase
import ValiseEncoding
import ValiseFiles
import ValiseMaintenance
import ValisePages

@testable import ValiseAccounts
@testable import ValiseMedia

/// The JSON that Valise reads: of its own journal and manifest, and in the official forms.
enum JSONTarget {
    static func journal(_ bytes: [UInt8]) {
        guard let journal = roundTrip(ChangeJournal.self, bytes) else { return }
        _ = (journal.databases, journal.keepingLaterWork())
        guard journal.steps.allSatisfy(\.isInsideOfAccount) else { return }
        for name in journal.databases {
            let path = FilePath("/account").appending(name).lexicallyNormalized()
            FuzzRun.require(path.starts(with: "/account"), "the step to \(name) stays inside")
        }
    }

    static func archiveError(_ bytes: [UInt8]) { roundTrip(ArchiveError.self, bytes) }
    static func migrationResult(_ bytes: [UInt8]) { roundTrip(MigrationResult.self, bytes) }
    static func databaseError(_ bytes: [UInt8]) { roundTrip(ChatErrorDatabase.self, bytes) }
    static func exportEntry(_ bytes: [UInt8]) { roundTrip(MediaExportEntry.self, bytes) }

    static func report(_ bytes: [UInt8]) {
        roundTrip(PageSet.self, bytes)
        roundTrip(AccountCheckReport.self, bytes)
        roundTrip(AccountStatus.self, bytes)
        roundTrip(MediaAuditReport.self, bytes)
        roundTrip(EncryptionInfo.self, bytes)
    }

    /// What can be read is written in both forms so that it is read again as the same.
    @discardableResult
    private static func roundTrip<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value?
    {
        guard let value = try? JSONText.decode(type, from: bytes) else { return nil }
        for sums in SumEncoding.allCases {
            let text = try? JSONText.encode(value, sums: sums)
            let again = text.flatMap { try? JSONText.decode(type, from: $0) }
            FuzzRun.require(again == value, "\(type) is read again from \(text ?? "nothing")")
        }
        return value
    }

    /// A manifest as a folder has it: what it has noted is found, and a line is added.
    static func manifest(_ bytes: [UInt8]) {
        let folder = manifestFolder.path
        manifestFile.write(bytes)
        var entries: [MediaExportEntry] = []
        guard let manifest = try? ExportManifest(folder, FileSystem(), note: { entries.append($0) }),
            (try? manifest.open()) != nil
        else { return }
        for entry in entries {
            let found = try? manifest.find(entry.fileId, name: entry.name, size: entry.size)
            FuzzRun.require(found != nil, "the line of file \(entry.fileId) is found")
            _ = try? manifest.first(withDigest: entry.sha256)
        }
        guard var entry = entries.last else { return }
        entry.fileId &+= 1
        FuzzRun.require((try? manifest.append(entry)) != nil, "a line is appended")
        let found = try? manifest.find(entry.fileId, name: entry.name, size: entry.size)
        FuzzRun.require(found == entry, "the new line is found")
    }

    private static let manifestFolder = ScratchFile("export")
    private static let manifestFile: ScratchFile = {
        try? FileSystem().makeDirectory(manifestFolder.path)
        return ScratchFile(manifestFolder.path.appending(ExportManifest.fileName))
    }()
}
