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
        _ = try await CreateAccount(account) {
            SharedSecret(try SecretBytes(copying: Array("a key in a file".utf8)))
        }
        .run(in: context)
        try fileSystem.makeDirectory(folder.appending("backups"))
    }

    private func path(_ name: String) -> FilePath { folder.appending("backups").appending(name) }

    private func export(_ names: String...) async throws {
        for name in names {
            _ = try await ExportArchive(of: account, to: .file(path(name))).run(in: context)
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
