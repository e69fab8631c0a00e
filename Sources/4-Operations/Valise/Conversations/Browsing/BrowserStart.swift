import SystemPackage
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Opens an address in the system's browser, by a page of its own that leads there.
///
/// The address alone lets whoever has it see the pages, and other users can read the arguments of a program. They cannot read
/// a file of mode 0600 in a folder of mode 0700. It holds nothing else, and is removed as soon as the address is used up.
struct BrowserStart {
    private let folder: FilePath
    private let page: FilePath
    private let fileSystem = FileSystem()

    /// - Parameters:
    ///   - address: the address.
    ///   - temporary: the folder for temporary files; nil for that of the system.
    /// - Throws: `FileError`.
    init(_ address: String, temporary: FilePath?) throws {
        let name = "valise-browse-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        folder = (temporary ?? "/tmp").appending(name)
        page = folder.appending("open.html")
        try fileSystem.makeDirectory(folder)
        var file = try fileSystem.create(page)
        try file.write(
            Array(
                """
                <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><meta name="referrer" content="no-referrer"/>\
                <meta http-equiv="refresh" content="0; url=\(address)"/><title>Messages</title></head>\
                <body><p><a href="\(address)">Messages</a></p></body></html>
                """.utf8))
        try file.close()
    }

    /// - Returns: whether there is a program that opens pages.
    func start() -> Bool {
        #if os(macOS)
            let program = "open"
        #else
            let program = "xdg-open"
        #endif
        return Self.spawn(program, page.string)
    }

    /// Removes the page. What cannot be removed holds an address that was used up, or is that of a server which has ended.
    func remove() { try? fileSystem.removeTree(folder) }

    /// Starts a program that is not waited for. Control-C does not reach it, and what it says is not seen.
    private static func spawn(_ program: String, _ argument: String) -> Bool {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(program), strdup(argument), nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        return unsafe posix_spawnp(&process, program, &actions, &attributes, &arguments, environ) == 0
    }
}
