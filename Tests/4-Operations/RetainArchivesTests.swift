import FaultInjection
import Foundation
import Synchronization
import Testing

@testable import Valise

/// Only the newest archives are kept, and only archives are removed.
struct RetainArchivesTests {
    private let folder: TemporaryFolder
    private let account: AccountLocation
    private let fileSystem = FileSystem()
    private let context = OperationContext()

    init() async throws {
        folder = try TemporaryFolder("valise-retention", inMemory: true)
        account = AccountLocation(directory: folder.appending("laptop"))
        // A raw key: nothing here is about how keys are derived, which takes long.
        _ = try await CreateAccount(account) {
            SharedSecret(
                try SecretBytes(copying: Array("x'\(String(repeating: "5a", count: 32))'".utf8)))
        }
        .run(in: context)
        try fileSystem.makeDirectory(folder.appending("backups"))
    }

    private func path(_ name: String) -> FilePath { folder.appending("backups").appending(name) }

    private func export(_ names: String..., as format: ExportFormat = .zip) async throws {
        var options = ArchiveExport.Options()
        options.format = format
        for name in names {
            _ = try await ExportArchive(of: account, to: .file(path(name)), options: options).run(in: context)
        }
    }

    private func operation(_ template: String, _ date: String, keeping count: Int) throws -> RetainArchives {
        let values = NameTemplate.Values(date: date, time: "120000", account: "laptop")
        return RetainArchives(newest: try TemplatedPath(path(template), values), count: count)
    }

    private func names() throws -> [String] {
        try fileSystem.list(folder.appending("backups")).compactMap(\.name)
    }

    @Test func `the newest by their dates stay, whatever the times of the files are`() async throws {
        try await export("b-2026-11-24.zip", "b-2026-11-22.zip", "b-2026-11-23.zip", "b-2026-11-21.zip")
        let operation = try operation("b-{date}.zip", "2026-11-24", keeping: 2)
        let planned = try await operation.plan(in: context)
        #expect(planned.removed == [path("b-2026-11-21.zip"), path("b-2026-11-22.zip")])
        #expect(try names().count == 4)
        let report = try await operation.run(in: context)
        #expect(report.removed == planned.removed.map(\.string) && report.failures.isEmpty)
        #expect(try names() == ["b-2026-11-23.zip", "b-2026-11-24.zip"])
        #expect(try await operation.run(in: context).removed.isEmpty)
    }

    @Test func `the new one counts before it is written, and stays when it is the only one`() async throws {
        try await export("b-2026-11-22.zip", "b-2026-11-23.zip")
        let operation = try operation("b-{date}.zip", "2026-11-24", keeping: 1)
        #expect(try await operation.plan(in: context).removed.count == 2)
        let error = await #expect(throws: OperationError.self) { try await operation.run(in: context) }
        #expect(error?.code == .notFound)
        #expect(try names().count == 2)
        try await export("b-2026-11-24.zip")
        _ = try await operation.run(in: context)
        #expect(try names() == ["b-2026-11-24.zip"])
    }

    @Test func `what does not match or is no intact archive stays`() async throws {
        try await export("b-2026-11-24.zip", "b-2026-11-01.zip", "c-2026-11-01.zip", "b-2026-11-01.zip.old")
        let intact = try fileSystem.contents(of: path("b-2026-11-01.zip"), limit: 1 << 24)
        try fileSystem.replace(path("b-2026-11-02.zip"), with: Array(intact.dropLast(100)))
        try fileSystem.replace(path("b-2026-11-03.zip"), with: Array("PK\u{3}\u{4} of something else".utf8))
        try fileSystem.makeDirectory(path("b-2026-11-04.zip"))
        try FileManager.default.createSymbolicLink(
            atPath: path("b-2026-11-05.zip").string, withDestinationPath: path("c-2026-11-01.zip").string)
        let before = try names()
        let report = try await operation("b-{date}.zip", "2026-11-24", keeping: 1).run(in: context)
        #expect(report.removed == [path("b-2026-11-01.zip").string])
        #expect(try names() == before.filter { $0 != "b-2026-11-01.zip" })
    }

    @Test(arguments: [("tar", ExportFormat.tar), ("tar.zst", .tarZstd), ("zip", .zip)])
    func `archives of the written kind are counted, and no others`(
        suffix: String, format: ExportFormat
    ) async throws {
        try await export(
            "b-2026-11-01.\(suffix)", "b-2026-11-23.\(suffix)", "b-2026-11-24.\(suffix)", as: format)
        // The same names but for their endings, and the same endings for something else.
        for (day, other) in ExportFormat.allCases.enumerated() where other != format {
            try await export("b-2026-11-02.\(other.rawValue)", as: other)
            try await export("b-2026-11-1\(day).\(suffix)", as: other)
        }
        let intact = try fileSystem.contents(of: path("b-2026-11-01.\(suffix)"), limit: 1 << 24)
        try fileSystem.replace(path("b-2026-11-03.\(suffix)"), with: Array(intact.prefix(intact.count / 2)))
        try fileSystem.replace(path("b-2026-11-04.\(suffix)"), with: [])
        try fileSystem.replace(
            path("b-2026-11-05.\(suffix)"), with: Array(repeating: UInt8(ascii: "x"), count: 4096))
        let before = try names()
        let operation = try operation("b-{date}.\(suffix)", "2026-11-24", keeping: 2)
        let planned = try await operation.plan(in: context)
        #expect(planned.removed == [path("b-2026-11-01.\(suffix)")])
        let report = try await operation.run(in: context)
        #expect(report.removed == planned.removed.map(\.string) && report.failures.isEmpty)
        #expect(try names() == before.filter { $0 != "b-2026-11-01.\(suffix)" })
    }

    @Test func `a format that was asked for counts, whatever the name ends in`() async throws {
        try await export("b-2026-11-22", "b-2026-11-24", as: .tar)
        try await export("b-2026-11-23")
        let values = NameTemplate.Values(date: "2026-11-24", time: "120000", account: "laptop")
        let newest = try TemplatedPath(path("b-{date}"), values)
        let report = try await RetainArchives(newest: newest, count: 1, format: .tar).run(in: context)
        #expect(report.removed == [path("b-2026-11-22").string])
        // The newest one is no zip: nothing is proved, and nothing removed.
        let error = await #expect(throws: OperationError.self) {
            try await RetainArchives(newest: newest, count: 1).run(in: context)
        }
        #expect(error?.code == .notFound)
        #expect(try names() == ["b-2026-11-23", "b-2026-11-24"])
    }

    @Test func `an interruption while a tar is read removes nothing`() async throws {
        try await export("b-2026-11-23.tar", "b-2026-11-24.tar", as: .tar)
        var context = context
        context.checkpoint = { throw Interruption() }
        let operation = try operation("b-{date}.tar", "2026-11-24", keeping: 1)
        let stopping = context
        await #expect(throws: Interruption.self) { try await operation.run(in: stopping) }
        #expect(try names().count == 2)
    }

    @Test func `only what was agreed to is removed`() async throws {
        try await export("b-2026-11-24.zip", "b-2026-11-22.zip", "b-2026-11-23.zip")
        var operation = try operation("b-{date}.zip", "2026-11-24", keeping: 1)
        operation.agreed = [path("b-2026-11-23.zip")]
        _ = try await operation.run(in: context)
        #expect(try names() == ["b-2026-11-22.zip", "b-2026-11-24.zip"])
    }

    @Test func `archives of another account's name are none of this one`() async throws {
        try await export("phone-2026-11-01.zip", "laptop-2026-11-01.zip", "laptop-2026-11-24.zip")
        _ = try await operation("{account}-{date}.zip", "2026-11-24", keeping: 1).run(in: context)
        #expect(try names() == ["laptop-2026-11-24.zip", "phone-2026-11-01.zip"])
    }

    // MARK: With an export

    /// Remembers what it is asked, and answers; nil where nobody can.
    private actor Answering: Questions {
        private(set) var asked: [[FilePath]] = []
        private let consent: Bool?

        init(_ consent: Bool?) { self.consent = consent }

        func passphrase(_ request: PassphraseRequest) async throws -> SharedSecret? { nil }

        func answer(_ question: Question) async throws -> Bool? {
            if case .removeArchives(let archives) = question { asked.append(archives) }
            return consent
        }
    }

    private final class Noted: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }

        func hear(_ event: OperationEvent) {
            guard case .note(let note as RetentionNote) = event else { return }
            texts.withLock { $0.append(note.text) }
        }
    }

    private func exporting(
        _ template: String, _ date: String, keeping count: Int, isChecked: Bool = true
    ) throws -> ExportAndRetain {
        let retention = try operation(template, date, keeping: count)
        var passphrase = PassphraseSource()
        passphrase.usesKeyStores = false
        if isChecked {
            passphrase = .secret(
                SharedSecret(
                    try SecretBytes(copying: Array("x'\(String(repeating: "5a", count: 32))'".utf8))))
        }
        return ExportAndRetain(
            of: account, to: .file(retention.newest.path), passphrase: passphrase, retention: retention)
    }

    @Test func `an export removes what it planned and asked about`() async throws {
        try await export("b-2026-11-21.zip", "b-2026-11-22.zip", "b-2026-11-23.zip")
        let operation = try exporting("b-{date}.zip", "2026-11-24", keeping: 2)
        let surplus = [path("b-2026-11-21.zip"), path("b-2026-11-22.zip")]
        let planned = try await operation.plan(in: context)
        #expect(planned.removed == surplus.map(\.string) && planned.export.entries > 0)
        let (answers, noted) = (Answering(true), Noted())
        let asking = OperationContext(questions: answers, events: { noted.hear($0) })
        let report = try await operation.run(in: asking)
        #expect(report.removed == planned.removed && !report.hasEntryErrors && noted.all.isEmpty)
        #expect(await answers.asked == [surplus])
        #expect(try names() == ["b-2026-11-23.zip", "b-2026-11-24.zip"])
        let document = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(document.contains("\"removed\"") && document.contains("archiveExported"), "\(document)")
    }

    @Test(arguments: [false, nil] as [Bool?])
    func `nothing is exported without consent, also where nothing is to remove yet`(answer: Bool?)
        async throws
    {
        let operation = try exporting("b-{date}.zip", "2026-11-24", keeping: 2)
        let answers = Answering(answer)
        let asking = OperationContext(questions: answers)
        let error = await #expect(throws: OperationError.self) { try await operation.run(in: asking) }
        let code: FailureCode = answer == nil ? .invalid : .failed
        #expect(error?.need == .agreement && error?.code == code)
        #expect(await answers.asked == [[]])
        #expect(try names().isEmpty)
    }

    @Test func `one more stays beside an export that was not checked`() async throws {
        try await export("b-2026-11-22.zip", "b-2026-11-23.zip")
        let operation = try exporting("b-{date}.zip", "2026-11-24", keeping: 1, isChecked: false)
        #expect(try await operation.plan(in: context).removed == [path("b-2026-11-22.zip").string])
        let noted = Noted()
        let asking = OperationContext(questions: Answering(true), events: { noted.hear($0) })
        let report = try await operation.run(in: asking)
        #expect(report.removed == [path("b-2026-11-22.zip").string])
        #expect(noted.all == [RetentionNote.oneMoreKept.text])
        #expect(try names() == ["b-2026-11-23.zip", "b-2026-11-24.zip"])
    }

    @Test func `all stay where none is to be removed, and nobody is asked`() async throws {
        try await export("b-2026-11-22.zip")
        let operation = ExportAndRetain(of: account, to: .file(path("b-2026-11-24.zip")))
        #expect(try await operation.plan(in: context).removed == nil)
        let report = try await operation.run(in: context)
        #expect(report.removed == nil && !report.hasEntryErrors)
        #expect(try names().count == 2)
    }
}
