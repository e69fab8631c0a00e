import Foundation
import Testing

#if os(Linux)
    /// A machine whose libarchive is broken. The loader looks into this folder first, as into any that its user names.
    @Suite(.enabled(if: Program.tool("tar") != nil))
    struct MissingLibraryTests {
        private let world: ArchiveShell

        private static let hint = "hint: install libarchive, on Debian and Ubuntu the package libarchive13\n"

        init() throws {
            world = try ArchiveShell("valise-libarchive", mediaBytes: 1000)
            let made = try world.run(
                "mkdir lib && echo none > lib/libarchive.so.13 && echo x > x && tar -cf x.tar x")
            #expect(made.status == 0, "\(made.errors)")
        }

        /// - Parameter arguments: as a shell takes them.
        private func valise(_ arguments: String) throws -> Program.Outcome {
            try world.run(
                "HOME=\"$F\" LD_LIBRARY_PATH=\"$F/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\" \"$V\" \(arguments)"
            )
        }

        private func expectRefusal(_ arguments: String) throws {
            let outcome = try valise(arguments)
            #expect(outcome.status == 1, "\(arguments): \(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("cannot load libarchive, which tar, cpio and 7z archives need: "))
            #expect(outcome.errors.contains(Self.hint), "\(arguments): \(outcome.errors)")
        }

        @Test func `the program starts, and works with zip archives`() throws {
            for arguments in [
                "--version", "archive export \"$A\" a.zip \"$K\"", "archive list a.zip",
                "archive verify a.zip \"$K\"",
                "archive import a.zip \"$B\" \"$K\"",
            ] {
                let outcome = try valise(arguments)
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            }
        }

        @Test func `a tar is neither read nor written, and an error says what to install`() throws {
            try expectRefusal("archive list x.tar")
            try expectRefusal("archive verify x.tar \"$K\"")
            try expectRefusal("archive import x.tar \"$B\" \"$K\"")
            try expectRefusal("archive export \"$A\" a.tar.zst \"$K\"")
            #expect(try world.run("ls a.tar* copy 2> /dev/null").output.isEmpty)
        }

        @Test func `the diagnosis names it as a problem`() throws {
            let outcome = try valise("doctor --json")
            let checks = try #require(outcome.json?["checks"] as? [[String: Any]])
            let found = try #require(
                checks.first { ($0["text"] as? String)?.hasPrefix("libarchive cannot be loaded: ") == true })
            #expect(found["state"] as? String == "problem")
            #expect(
                found["hint"] as? [String] == [
                    "install libarchive, on Debian and Ubuntu the package libarchive13"
                ])
            #expect(outcome.status == 1)
        }
    }
#endif
