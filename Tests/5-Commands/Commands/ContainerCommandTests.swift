import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFiles

/// Tars and other containers, to and from other programs, through the built program.
@Suite(
    .enabled(
        if: ["tar", "bsdtar", "7z", "gzip", "xz", "zstd", "python3"].allSatisfy { Program.tool($0) != nil }))
struct ContainerCommandTests {
    private let world: ArchiveShell

    init() throws { world = try ArchiveShell("valise-container", mediaBytes: 2000000) }

    private func shell(_ line: String, environment: [String: String] = [:]) throws -> Program.Outcome {
        try world.run(line, environment: ["LC_ALL": "C.UTF-8"].merging(environment) { $1 })
    }

    /// Entries of the archive in the folder `d`.
    private func unpack() throws {
        let made = try shell(
            "\"$V\" archive export \"$A\" a.zip \"$K\" && \"$V\" archive extract a.zip -C d && mkdir -p d/more && echo x > d/more/x"
        )
        #expect(made.status == 0, "\(made.errors)")
    }

    private func names(_ list: String) -> Set<String> {
        Set(
            list.split(separator: "\n").dropLast().compactMap {
                // Behind the columns of the size and the method.
                $0.dropFirst(21).split(separator: " ").first.map(String.init)
            })
    }

    // MARK: Reading

    @Test(
        arguments: [
            "tar -C d -cf x .",
            "tar --format posix -C d -czf x simplex_v1_agent.db simplex_v1_chat.db simplex_v1_files simplex_v1_assets",
            "tar -C d -cJf x .", "tar -C d --zstd -cf x .", "bsdtar -cf x -C d .",
            "bsdtar --format newc -czf x -C d .", "cd d && 7z a ../x.7z . > ../log && mv ../x.7z ../x",
        ])
    func `what others pack is listed, verified, imported and extracted`(_ pack: String) throws {
        try unpack()
        let made = try shell(pack)
        #expect(made.status == 0, "\(made.errors)")
        let list = try shell("\"$V\" archive list x")
        #expect(list.status == 0, "\(list.errors)")
        #expect(names(list.output).isSuperset(of: try names(shell("\"$V\" archive list a.zip").output)))

        let verify = try shell("\"$V\" archive verify x \"$K\" --require-verified")
        #expect(verify.status == 0, "\(verify.output)\(verify.errors)")

        let plan = try shell("\"$V\" archive import x \"$B\" \"$K\" --dry-run")
        #expect(plan.status == 0 && plan.output.contains("nothing was changed"), "\(plan.errors)")
        #expect(try !FileSystem().exists(FilePath(world.copy)))
        let imported = try shell("\"$V\" archive import x \"$B\" \"$K\"")
        #expect(imported.status == 0, "\(imported.errors)")
        let diff = try shell("\"$V\" archive diff \"$A\" \"$B\" \"$K\" --exit-code")
        #expect(diff.status == 0, "\(diff.output)\(diff.errors)")

        let extracted = try shell(
            "\"$V\" archive extract x -C e && diff -r d/simplex_v1_files e/simplex_v1_files")
        #expect(extracted.status == 0, "\(extracted.output)\(extracted.errors)")
        let some = try shell("\"$V\" archive extract x -C s '*_agent.db' && ls s")
        #expect(some.output.hasSuffix("simplex_v1_agent.db\n"), "\(some.output)\(some.errors)")
        #expect(try AccountState.leftovers(in: world.folder.path) == [])
    }

    @Test func `a tar comes through a pipe`() throws {
        try unpack()
        let piped = try shell("tar -C d -cf - . | zstd -q | \"$V\" archive import - \"$B\" \"$K\"")
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(try shell("tar -C d -czf - . | \"$V\" archive verify - \"$K\"").status == 0)
        #expect(try shell("tar -C d -cf - . | \"$V\" archive list -").output.contains("simplex_v1_agent.db"))
        #expect(try shell("\"$V\" archive diff \"$A\" \"$B\" \"$K\" --exit-code").status == 0)
    }

    @Test func `a refused container changes nothing`() throws {
        try unpack()
        let made = try shell(
            "ln -s /etc d/link && tar -C d -cf x . && tar -C d --exclude link -cf t . && head -c 700000 t > cut && "
                + "cd d && rm link && 7z a -psecret ../p.7z . > ../log")
        #expect(made.status == 0, "\(made.errors)")
        for (archive, status, text) in [
            ("x", 14, "symbolic link"), ("cut", 13, "truncated"), ("p.7z", 14, "passphrase of its own"),
        ] as [(String, Int32, String)] {
            for command in ["list \(archive)", "import \(archive) \"$B\" \"$K\"", "extract \(archive) -C e"] {
                let outcome = try shell("\"$V\" archive \(command)")
                #expect(outcome.status == status, "\(command): \(outcome.errors)")
                #expect(outcome.errors.contains(text), "\(command): \(outcome.errors)")
            }
            let verify = try shell("\"$V\" archive verify \(archive) \"$K\"")
            #expect(
                verify.status == status && verify.output.contains(text), "\(verify.output)\(verify.errors)")
            #expect(try !FileSystem().exists(FilePath(world.copy)))
            #expect(try shell("ls -A e").output.isEmpty)
        }
    }

    @Test func `a full disk is seen before it is full`() throws {
        let library = try #require(Preload.compile("smalldisk"))
        try unpack()
        #expect(try shell("tar -C d -cf x .").status == 0)
        let outcome = try shell(
            "LD_PRELOAD=\(library) SMALLDISK_FREE=20000000 \"$V\" archive import x \"$B\" \"$K\"")
        #expect(outcome.status == 15 && outcome.errors.contains("to unpack the archive"), "\(outcome.errors)")
        #expect(try !FileSystem().exists(FilePath(world.copy)))
    }

    @Test func `what a tar cannot do says so, with the way out`() throws {
        #expect(try shell("\"$V\" archive export \"$A\" x.tar \"$K\"").status == 0)
        for command in [
            "archive diff x.tar \"$A\" \"$K\"", "account check x.tar \"$K\"", "media audit x.tar \"$K\"",
        ] {
            let outcome = try shell("\"$V\" \(command)")
            #expect(outcome.status == 14, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("a tar archive, but only a zip"), "\(outcome.errors)")
            #expect(outcome.errors.contains("valise archive extract x.tar --directory"), "\(outcome.errors)")
        }
    }

    @Test func `a tar is no move, and is imported`() throws {
        #expect(try shell("\"$V\" archive export \"$A\" x.tar \"$K\"").status == 0)
        let refused = try shell(
            "\"$V\" move receive x.tar new \"$K\" --yes", environment: ["HOME": world.folder.path.string])
        #expect(refused.status == 14, "\(refused.errors)")
        #expect(
            refused.errors.contains("x.tar: a tar archive, but only a zip can be received"),
            "\(refused.errors)")
        let line = try #require(
            refused.errors.firstMatch(of: /run: valise (archive import x\.tar new .*)\n/)?.1)
        let imported = try shell("\"$V\" \(line)")
        #expect(imported.status == 0, "\(imported.errors)")
    }

    @Test func `what can be read of a damaged tar is salvaged, as the hints say`() throws {
        try unpack()
        let made = try shell(
            "ln -s /etc d/link && tar -C d -cf x . && rm d/link && \"$V\" archive export \"$A\" t.tar.zst \"$K\" && "
                + "head -c 2500000 t.tar.zst > cut.tar.zst && cd d && 7z a -psecret ../p.7z . > ../log")
        #expect(made.status == 0, "\(made.errors)")
        // What is refused is left out.
        let links = try shell("\"$V\" archive salvage x y.zip \"$K\"")
        #expect(
            links.status == 0 && links.output.contains("skipped: link is not part"),
            "\(links.output)\(links.errors)")
        let verified = try shell("\"$V\" archive verify y.zip \"$K\" --require-verified")
        #expect(verified.status == 0, "\(verified.output)")

        let before = try shell("\"$V\" archive verify cut.tar.zst")
        #expect(before.status == 13, "\(before.output)")
        #expect(before.output.contains("truncated archive: it was not copied"), "\(before.output)")
        let hint = "run: valise archive salvage cut.tar.zst cut-salvaged.zip"
        #expect(before.output.contains(hint), "\(before.output)")
        for command in ["list cut.tar.zst", "extract cut.tar.zst -C e", "import cut.tar.zst new"] {
            let outcome = try shell("\"$V\" archive \(command)")
            #expect(outcome.status == 13 && outcome.errors.contains(hint), "\(command): \(outcome.errors)")
        }
        let salvaged = try shell("\"$V\" archive salvage cut.tar.zst cut-salvaged.zip \"$K\"")
        #expect(salvaged.status == 3, "\(salvaged.output)\(salvaged.errors)")
        for text in [
            "chat database: intact", "agent database: intact", "the archive may have contained more",
            "lost: simplex_v1_files/archive_1.bin: truncated archive",
        ] {
            #expect(salvaged.output.contains(text), "\(salvaged.output)")
        }
        let imported = try shell("\"$V\" archive import cut-salvaged.zip \"$B\" \"$K\"")
        #expect(imported.status == 0, "\(imported.errors)")
        let json = try shell("\"$V\" archive salvage cut.tar.zst z.zip --json")
        #expect(json.status == 3 && json.json?["container"] as? String == "zstd", "\(json.output)")
        let locked = try shell("\"$V\" archive salvage p.7z p.zip")
        #expect(locked.status == 14 && locked.errors.contains("passphrase of its own"), "\(locked.errors)")
        #expect(try AccountState.leftovers(in: world.folder.path) == [])
    }

    @Test func `a tar without an account is intact, and is no account archive`() throws {
        #expect(
            try shell("mkdir m && echo x > m/x && tar -cf m.tar m").status == 0)
        let verify = try shell("\"$V\" archive verify m.tar")
        #expect(
            verify.status == 13 && verify.output.contains("simplex_v1_chat.db is missing"), "\(verify.output)"
        )
        #expect(
            verify.output.hasSuffix("the archive is intact, but not an account archive\n"), "\(verify.output)"
        )
        #expect(
            !verify.output.contains("not verified") && !verify.output.contains("damaged"), "\(verify.output)")
    }

    // MARK: Writing

    @Test func `exported tars are read by GNU tar, bsdtar, 7z and this program`() throws {
        try unpack()
        let made = try shell(
            "\"$V\" archive export \"$A\" x.tar \"$K\" && \"$V\" archive export \"$A\" x.tar.zst \"$K\" && "
                + "\"$V\" archive export \"$A\" any --format tar \"$K\"; stat -c %a x.tar any")
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.hasSuffix("600\n600\n"), "\(made.output)")
        for program in [
            "tar -xf x.tar -C e", "tar --zstd -xf x.tar.zst -C e", "bsdtar -xf x.tar -C e",
            "bsdtar -xf x.tar.zst -C e", "7z x -oe x.tar > log", "tar -xf any -C e",
            "\"$V\" archive extract x.tar.zst -C e",
        ] {
            let outcome = try shell("rm -rf e; mkdir e && \(program) && rm -rf d/more && diff -r d e")
            #expect(outcome.status == 0, "\(program): \(outcome.output)\(outcome.errors)")
        }
        let modes = try shell("tar -tvf x.tar | cut -c 1-10 | sort -u")
        #expect(modes.output == "-rw-------\n")
        // In the order of the zip.
        #expect(
            try shell("tar -tf x.tar").output
                == shell(
                    "python3 -c 'import zipfile; print(\"\\n\".join(zipfile.ZipFile(\"a.zip\").namelist()))'"
                )
                .output)
        for archive in ["x.tar", "x.tar.zst"] {
            let verify = try shell("\"$V\" archive verify \(archive) \"$K\" --require-verified")
            #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
        }
        let imported = try shell(
            "\"$V\" archive import x.tar.zst \"$B\" \"$K\" && \"$V\" archive diff \"$A\" \"$B\" \"$K\" --exit-code"
        )
        #expect(imported.status == 0, "\(imported.output)\(imported.errors)")
        #expect(try AccountState.leftovers(in: world.folder.path) == [])
    }

    @Test func `a tar is streamed, and reproduced`() throws {
        let streamed = try shell(
            "\"$V\" archive export \"$A\" - --format tar.zst --reproducible \"$K\" > s && "
                + "\"$V\" archive export \"$A\" x.tar.zst --reproducible \"$K\" && cmp s x.tar.zst && "
                + "\"$V\" archive export \"$A\" - --format tar \"$K\" | tar -tf - | wc -l")
        #expect(streamed.status == 0, "\(streamed.errors)")
        #expect(streamed.errors.contains("SHA-256"), "\(streamed.errors)")
        let piped = try shell(
            "\"$V\" archive export \"$A\" - --format tar \"$K\" | \"$V\" archive import - \"$B\" \"$K\" && "
                + "\"$V\" archive diff \"$A\" \"$B\" \"$K\" --exit-code")
        #expect(piped.status == 0, "\(piped.output)\(piped.errors)")
        let gone = try shell(
            "\"$V\" archive export \"$A\" - --format tar \"$K\" | head -c 500000 > c; \"$V\" archive list c")
        #expect(gone.status == 13, "\(gone.errors)")
    }

    @Test func `a tar of an account is replaced with --force, and no other file`() throws {
        #expect(try shell("\"$V\" archive export \"$A\" x.tar \"$K\"").status == 0)
        let exists = try shell("\"$V\" archive export \"$A\" x.tar \"$K\"")
        #expect(exists.status == 1 || exists.errors.contains("already exists"), "\(exists.errors)")
        #expect(try shell("\"$V\" archive export \"$A\" x.tar --force \"$K\"").status == 0)
        let other = try shell("tar -cf o.tar key && \"$V\" archive export \"$A\" o.tar --force \"$K\"")
        #expect(other.status != 0 && other.errors.contains("is not an account archive"), "\(other.errors)")
        #expect(try shell("tar -tf o.tar").output == "key\n")
    }

    @Test func `options that make no sense for a tar are refused`() throws {
        for options in [
            "x.tar --level 9", "x.tar --no-compression", "x.tar.zst --no-compression", "x --format rar",
        ] {
            #expect(try shell("\"$V\" archive export \"$A\" \(options) \"$K\"").status == 64, "\(options)")
        }
        #expect(
            try shell("\"$V\" archive export \"$A\" x.zip --format tar \"$K\" && tar -tf x.zip").status == 0)
    }
}
