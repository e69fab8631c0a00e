package import Foundation

/// Where the repository lies, and what was built of it.
///
/// The only place that counts folders: a test that moves with its fixtures needs no change.
package enum Repository {
    /// The folder of `Package.swift`.
    package static let root = {
        var folder = URL(filePath: #filePath)
        while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path),
            folder.pathComponents.count > 1
        { folder.deleteLastPathComponent() }
        return folder
    }()

    /// A file or folder of the repository.
    package static func url(_ path: String) -> URL { root.appending(path: path) }

    /// What lies beside the source that asks: a script, a folder of fixtures.
    package static func beside(_ name: String, source: String = #filePath) -> URL {
        URL(filePath: source).deletingLastPathComponent().appending(path: name)
    }

    /// A fixture that more than one target reads.
    package static func fixture(_ path: String) -> URL { url("Tests/Support/Fixtures/\(path)") }

    /// A program of the same build: it is where the test bundle is.
    package static func program(_ name: String) -> URL {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        // Under the package manager's helper the first argument is the test bundle, or lies inside of it.
        for _ in 0..<4 {
            let file = folder.appending(path: name)
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
            folder.deleteLastPathComponent()
        }
        return url(".build/debug/\(name)")
    }
}
