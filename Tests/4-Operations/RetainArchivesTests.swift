import FaultInjection
import Foundation
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
}
