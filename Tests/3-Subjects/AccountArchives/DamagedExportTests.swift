import FaultInjection
import SystemPackage
import Testing
import ValiseAccountArchives
import ValiseAccounts
import ValiseFailures
import ValiseFiles

/// Exports of accounts whose databases are damaged.
struct DamagedExportTests {
    private let account: SampleAccountFixture

    init() throws { account = try SampleAccountFixture() }

    /// Overwrites whole pages, the first of which is 0.
    private func overwrite(_ pages: Range<Int>) throws {
        let path = account.location.path(of: .chat)
        var bytes = try account.fileSystem.contents(of: path, limit: 1 << 28)
        let range = pages.lowerBound * 4096..<pages.upperBound * 4096
        bytes.replaceSubrange(range, with: repeatElement(7, count: range.count))
        try account.fileSystem.replace(path, with: bytes)
    }

    private func errors(_ report: ExportReport) -> [String] {
        report.archiveErrors.map { error in
            switch error {
            case .fileError(let file, let text): "\(file): \(text.sentence)"
            case .import(let text): text
            }
        }
    }

    @Test(arguments: [ExportFormat.zip, .tar, .tarZstd])
    func `damaged pages are an error of their database's entry`(format: ExportFormat) throws {
        let intact = try account.export()
        #expect(intact.archiveErrors == [] && intact.areDatabasesChecked)
        try overwrite(4..<7)
        var options = ArchiveExport.Options(replacesFile: true)
        options.format = format
        let report = try account.export(options)
        #expect(errors(report) == ["simplex_v1_chat.db: 3 damaged pages"])
        #expect(report.areDatabasesChecked && report.entries == intact.entries)
    }

    @Test func `a database that was cut off at a page is an error`() throws {
        let path = account.location.path(of: .agent)
        let bytes = try account.fileSystem.contents(of: path, limit: 1 << 28)
        try account.fileSystem.replace(path, with: Array(bytes.dropLast(2 * 4096)))
        let report = try account.export()
        #expect(errors(report).contains { $0.hasPrefix("simplex_v1_agent.db: the file is cut off") })
    }

    @Test func `without a passphrase nothing is checked`() throws {
        try overwrite(4..<7)
        let report = try ArchiveExport().export(account.location, to: account.archive)
        #expect(report.archiveErrors == [] && !report.areDatabasesChecked)
    }
}
