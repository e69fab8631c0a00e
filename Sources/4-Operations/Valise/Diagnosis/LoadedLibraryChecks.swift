import ValiseComposition
import ValiseContainers
import ValiseCryptography
import ValiseFailures
import ValiseMounting
import ValiseStorage

/// The libraries that are loaded only when they are needed, as they are here.
enum LoadedLibraryChecks {
    static func findings() -> [Diagnosis.Finding] {
        [
            finding(
                "libarchive", without: "tar, cpio and 7z archives cannot be read or written", .problem
            ) { try ArchiveLibrary.version() },
            finding("libcurl", without: "backups and stores on servers, and link previews, do not work") {
                try CurlLibrary.version()
            },
            finding("libvips", without: "pictures are not prepared") { try PictureLibrary.version() },
            finding("libblake3", without: "stores of tcfs do not work") { try BLAKE3Library.version() },
            finding("libfuse3", without: "mounts work over WebDAV only") { try FuseLibrary.version() },
        ]
    }

    /// - Parameters:
    ///   - without: what does not work where it is missing.
    ///   - state: of a missing one. Most people need none of them.
    ///   - version: loads it.
    private static func finding(
        _ name: StaticString, without: StaticString, _ state: Diagnosis.State = .note,
        _ version: () throws -> String
    ) -> Diagnosis.Finding {
        do {
            let version = try version()
            return Diagnosis.Finding(.library, .ok, "\(word: name) \(version: version)")
        } catch {
            let text: RedactableText = "\(word: name) cannot be loaded: \(word: without)"
            guard let remedy = (error as? any Failure)?.remedy else {
                return Diagnosis.Finding(.library, state, text)
            }
            return Diagnosis.Finding(.library, state, text, .common(remedy))
        }
    }
}
