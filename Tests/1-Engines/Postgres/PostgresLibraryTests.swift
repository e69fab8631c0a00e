import Foundation
import TestPeers
import Testing
import ValiseFailures
import ValisePostgres

/// libpq, which is loaded when it is first needed.
@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed")) struct PostgresLibraryTests {
    #if os(macOS)
        private static let other = "/usr/lib/libz.1.dylib"
    #else
        private static let other = "libc.so.6"
    #endif

    @Test func `the library is there, and tells its version`() throws {
        let version = try PostgresLibrary.version()
        let major = try #require(version.split(separator: ".").first.flatMap { Int($0) }, "\(version)")
        #expect(major >= 14)
    }

    @Test func `a missing library is an error that names it and what to install`() throws {
        let error = try #require(throws: PostgresError.self) {
            try PostgresLibrary.tryLoading("libvalise-none.so.1")
        }
        #expect(error.code == .failed && error.remedy == .installLibpq && !error.isOutage)
        #expect(error.message.hasPrefix("cannot load libpq, which records in PostgreSQL need: "), "\(error)")
        #expect(error.message.contains("libvalise-none.so.1"), "\(error)")
        #expect(error.remedy?.advice?.contains("libpq5") == true)
    }

    @Test func `a library without the functions is refused, and the first of them is named`() throws {
        let error = try #require(throws: PostgresError.self) { try PostgresLibrary.tryLoading(Self.other) }
        #expect(error.message.contains("PQlibVersion"), "\(error)")
        // What was loaded before is still used.
        #expect(try !PostgresLibrary.version().isEmpty)
    }

    private static let header = "/usr/include/postgresql/libpq-fe.h"

    /// The declarations are ours: where the header is installed, the compiler compares each with it.
    @Test(
        .enabled(
            if: OtherProgram.isThere("cc") && FileManager.default.fileExists(atPath: header),
            "the header of libpq is not installed"))
    func `the declarations are those of the header`() throws {
        let folder = Repository.url("Sources/0-Ground/System/Postgres")
        let platform = Repository.url("Sources/0-Ground/System/Platform/include").path
        let source = try String(contentsOf: folder.appending(path: "postgres.c"), encoding: .utf8)
        let compiler = try #require(OtherProgram("cc"))
        func compile(_ text: String) throws -> (status: Int32, output: String) {
            try compiler.run(
                [
                    "-x", "c", "-std=gnu11", "-fsyntax-only", "-DVALISE_COMPARE_WITH_HEADER",
                    "-I", folder.appending(path: "include").path, "-I", platform,
                    "-I", URL(filePath: Self.header).deletingLastPathComponent().path, "-",
                ], input: text)
        }
        let outcome = try compile(source)
        #expect(outcome.status == 0, "\(outcome.output)")
        // And it sees a difference.
        for (ours, other) in [
            ("pipeline_sync = 10", "pipeline_sync = 9"),
            ("F(int, PQflush, (Connection *))", "F(int, PQflush, (void))"),
            ("    char *compiled;\n", ""),
        ] {
            #expect(source.contains(ours))
            #expect(try compile(source.replacing(ours, with: other)).status != 0, "\(other)")
        }
    }
}
