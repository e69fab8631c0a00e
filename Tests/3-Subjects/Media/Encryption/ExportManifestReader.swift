import FaultInjection
import SystemPackage
import Testing
import ValiseCryptography
import ValiseEncoding
import ValiseFiles
import ValiseMedia

extension OfficialAccount {
    /// The lines of the manifest.
    func manifest() throws -> [MediaExportEntry] {
        let bytes = try fileSystem.contents(of: out.appending("manifest.jsonl"), limit: 1 << 26)
        return try bytes.split(separator: UInt8(ascii: "\n")).map {
            try JSONText.decode(MediaExportEntry.self, from: Array($0))
        }
    }

    /// An export is whole: each row once, each file with the content that its line tells, nothing besides.
    func checkExport(rows: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let (lines, files) = (try manifest(), try exported())
        #expect(Set(lines.map(\.fileId)).count == rows, sourceLocation: sourceLocation)
        #expect(lines.count == rows, sourceLocation: sourceLocation)
        for line in lines {
            let bytes = files[line.path]
            #expect(bytes?.count == Int(line.size), "\(line.path)", sourceLocation: sourceLocation)
            let digest = Hexadecimal.encode(SHA256.hash(bytes ?? []))
            #expect(digest == line.sha256, "\(line.path)", sourceLocation: sourceLocation)
        }
        #expect(Set(files.keys) == Set(lines.map(\.path)), sourceLocation: sourceLocation)
    }
}
