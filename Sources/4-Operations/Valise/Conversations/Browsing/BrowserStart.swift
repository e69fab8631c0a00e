import SystemPackage
import ValiseFailures
import ValiseFiles

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
        // It is not waited for. Control-C does not reach it, and what it says is not seen.
        let process = try? ChildProcess(
            program, [page.string], streams: (.none, .none, .none), isApart: true)
        return process != nil
    }

    /// Removes the page. What cannot be removed holds an address that was used up, or is that of a server which has ended.
    func remove() { try? fileSystem.removeTree(folder) }
}
