import Foundation
import SystemPackage
import TestPeers
import Testing

/// `valise chat browse`, running beside the test.
final class RunningBrowse {
    let process = Process()
    private let output = Pipe.uninherited()
    private let errors = Pipe.uninherited()
    /// As it was printed.
    let address: String
    let port: Int

    /// - Parameter arguments: behind `chat browse`.
    init(_ arguments: [String], environment: [String: String]) throws {
        process.executableURL = URL(filePath: Program.valise)
        process.arguments = ["chat", "browse"] + arguments + ["--json"]
        process.environment = Program.environment(environment)
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.start()
        let line = output.fileHandleForReading.availableData
        let document = try? JSONSerialization.jsonObject(with: line) as? [String: Any]
        guard let address = document?["address"] as? String, let port = document?["port"] as? Int,
            document?["type"] as? String == "chatBrowsing"
        else {
            process.terminate()
            let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            throw Failed(text: text)
        }
        self.address = address
        self.port = port
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// What it said in place of an address.
    struct Failed: Error {
        let text: String
    }

    /// The address as a request names it.
    var entrance: String { String(address.dropFirst("http://127.0.0.1:\(port)".count)) }

    /// As Control-C does.
    func interrupt() -> (status: Int32, errors: String) {
        process.interrupt()
        return end()
    }

    func end() -> (status: Int32, errors: String) {
        let watch = process.endingIfStuck()
        defer { watch.cancel() }
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}

/// What a server answered.
struct BrowsingAnswer {
    let status: Int
    /// By their names in small letters.
    let fields: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Asks a server for something, without what a library adds.
struct BrowsingClient {
    let port: Int
    /// The cookie that it got.
    var cookie: String?

    /// - Parameters:
    ///   - target: with its query.
    ///   - host: nil for none.
    func ask(
        _ target: String, _ fields: [String: String] = [:], method: String = "GET",
        host: String? = "127.0.0.1",
        withCookie: Bool = true
    ) throws -> BrowsingAnswer {
        var lines = ["\(method) \(target) HTTP/1.1", "Connection: close"]
        if let host { lines.append("Host: \(host):\(port)") }
        if withCookie, let cookie { lines.append("Cookie: \(cookie)") }
        lines += fields.map { "\($0.key): \($0.value)" }
        return try Self.parse(exchange(lines.joined(separator: "\r\n") + "\r\n\r\n"))
    }

    /// Opens a connection, and sends nothing or the beginning of a request.
    /// - Returns: what the caller closes.
    func connected(sending text: String = "") throws -> Int32 {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, type, 0)
        try #require(descriptor >= 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            let error = Errno(rawValue: errno)
            close(descriptor)
            throw error
        }
        let bytes = Array(text.utf8)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        return descriptor
    }

    private func exchange(_ request: String) throws -> [UInt8] {
        let descriptor = try connected(sending: request)
        defer { close(descriptor) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }

    private static func parse(_ answer: [UInt8]) throws -> BrowsingAnswer {
        let end = try #require(
            (0..<max(0, answer.count - 3)).first { answer[$0...].starts(with: "\r\n\r\n".utf8) })
        let lines = String(decoding: answer[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let status = try #require(lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            fields[pair[0].lowercased()] = pair.count > 1 ? pair[1].trimmingCharacters(in: .whitespaces) : ""
        }
        return BrowsingAnswer(status: status, fields: fields, body: Array(answer[(end + 4)...]))
    }
}
