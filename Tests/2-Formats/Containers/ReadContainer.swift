import SystemPackage
import ValiseArchives
import ValiseContainers
import ValiseFailures

/// What a reader says of an archive.
struct ReadContainer: Equatable {
    struct Entry: Equatable {
        let name: String
        let content: [UInt8]
    }

    var entries: [Entry] = []
    var folders: [String] = []
    var format = ""

    var names: [String] { entries.map(\.name) }

    /// Reads all of it.
    /// - Parameter skipping: whether contents are passed over, as for a list.
    init(_ bytes: [UInt8], limits: ZipLimits = ZipLimits(), skipping: Bool = false) throws {
        let source = MemorySource(bytes)
        guard let kind = try ContainerKind(of: source) else { throw NoContainer() }
        let reader = try ContainerReader(source, kind, limits: limits) { _ in }
        while let entry = try reader.next() {
            format = reader.format
            if entry.isFolder {
                folders.append(entry.name)
                continue
            }
            var content: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1000)
            while !skipping {
                let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
                if count == 0 { break }
                content += buffer[..<count]
            }
            entries.append(Entry(name: entry.name, content: content))
        }
    }

    /// What is no archive by its first bytes.
    struct NoContainer: Error {}

    /// The code and the defect with which an archive is refused; nil where it is read.
    static func refusal(_ bytes: [UInt8], limits: ZipLimits = ZipLimits(), skipping: Bool = false) -> Refusal?
    {
        do {
            _ = try ReadContainer(bytes, limits: limits, skipping: skipping)
            return nil
        } catch let error as ContainerError {
            return Refusal(code: error.code, defect: error.defect.rawValue, entry: error.entry)
        } catch let error as ZipError {
            return Refusal(code: error.code, defect: error.defect.rawValue, entry: error.entry)
        } catch {
            return Refusal(code: .failed, defect: "\(error)", entry: nil)
        }
    }

    struct Refusal: Equatable {
        let code: FailureCode
        let defect: String
        let entry: String?
    }
}
