import Foundation
import SystemPackage

/// Symbolic links, which Valise itself never makes.
enum FileManagerLink {
    static func make(_ path: FilePath, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: target)
    }
}
