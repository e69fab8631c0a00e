import Foundation
import Testing

/// Programs of the system that read what we draw.
enum Tool {
    static let allAreThere = [
        "pdftoppm", "pdftotext", "pdfinfo", "rsvg-convert", "zbarimg", "bash", "python3",
    ]
    .allSatisfy { find($0) != nil }

    private static func find(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// What the tool prints. It has to end well; poppler's complaints fail the test.
    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: try #require(find(name)))
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(name): \(complaints)")
        // zbar looks for a bus in vain.
        #expect(!complaints.contains("Syntax") && !complaints.contains("rror:"), "\(name): \(complaints)")
        return Array(bytes)
    }
}
