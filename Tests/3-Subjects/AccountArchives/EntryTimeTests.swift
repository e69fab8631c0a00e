import SystemPackage
import TestPeers
import Testing
import ValiseArchives
import ValiseFiles

/// When the content of an entry was changed, as the archive tells it.
struct EntryTimeTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    private func time(_ name: String, of python: String) throws -> EntryTime? {
        let script = """
            import struct, sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w') as z:
                i = zipfile.ZipInfo('\(name)', (2026, 1, 31, 12, 30, 8))
                \(python)
                z.writestr(i, b'x')
            """
        let tool = try #require(OtherProgram("python3"))
        let result = try tool.run(["-c", script, sandbox.archive.string], in: sandbox.root.string)
        #expect(result.status == 0, "\(result.output)")
        let index = try ZipIndex(try sandbox.fileSystem.openForReading(sandbox.archive))
        return index.entry(named: name)?.modified
    }

    @Test(.enabled(if: OtherProgram.isThere("python3")))
    func `the exact time counts before the one of DOS`() throws {
        // 2026-01-31 12:30:08 UTC
        let dos: Int64 = 1_769_862_608
        #expect(try time("a", of: "pass") == EntryTime(seconds: dos, isExact: false))
        let exact = "i.extra = struct.pack('<HHBi', 0x5455, 5, 1, 1700000001)"
        #expect(try time("a", of: exact) == EntryTime(seconds: 1_700_000_001, isExact: true))
        let early = "i.extra = struct.pack('<HHBi', 0x5455, 5, 1, -5)"
        #expect(try time("a", of: early) == EntryTime(seconds: -5, isExact: true))
        // Says that no time of the content follows, or is too short to hold one.
        for extra in ["struct.pack('<HHBi', 0x5455, 5, 2, 17)", "struct.pack('<HHB', 0x5455, 1, 1)"] {
            #expect(try time("a", of: "i.extra = \(extra)") == EntryTime(seconds: dos, isExact: false))
        }
    }
}
