import TestPeers
import Testing

/// Programs of the system that read what we draw.
enum Tool {
    static let allAreThere = OtherProgram.isThere(
        "pdftoppm", "pdftotext", "pdfinfo", "rsvg-convert", "zbarimg", "bash", "python3")

    /// What the tool prints. It has to end well; poppler's complaints fail the test.
    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> [UInt8] {
        let outcome = try #require(OtherProgram(name)).outcome(of: arguments)
        let complaints = String(decoding: outcome.errors, as: UTF8.self)
        #expect(outcome.status == 0, "\(name): \(complaints)")
        // zbar looks for a bus in vain.
        #expect(!complaints.contains("Syntax") && !complaints.contains("rror:"), "\(name): \(complaints)")
        return outcome.output
    }
}
