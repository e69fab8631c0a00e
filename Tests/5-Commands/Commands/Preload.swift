import Foundation
import TestPeers

/// Libraries for `LD_PRELOAD` from `Support`, compiled once for a run of the tests.
enum Preload {
    private static let folder = FileManager.default.temporaryDirectory
        .appending(path: "valise-preload-\(ProcessInfo.processInfo.processIdentifier)")

    private static let madeFolder: Bool = {
        atexit { try? FileManager.default.removeItem(at: Preload.folder) }
        return (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true))
            != nil
    }()

    /// The library made of `Support/NAME.c`; nil without a compiler or on another system.
    static func compile(_ name: String) -> String? {
        #if os(Linux)
            guard madeFolder, let compiler = Program.tool("cc") else { return nil }
            let source = Repository.beside("Support/\(name).c")
            let target = folder.appending(path: "\(name).so").path
            let arguments = ["-std=gnu11", "-shared", "-fPIC", "-O2", "-o", target, source.path, "-ldl"]
            guard let outcome = try? Program.run(compiler, arguments), outcome.status == 0 else { return nil }
            return target
        #else
            return nil
        #endif
    }
}
