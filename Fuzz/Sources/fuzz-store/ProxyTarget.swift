import Fuzzing

@testable import ValiseRelay

/// What comes first on a connection behind a proxy.
enum ProxyTarget {
    static func header(_ bytes: [UInt8]) {
        guard let header = (try? ProxyHeader.read(bytes)) ?? nil else { return }
        FuzzRun.require(header.size <= bytes.count, "a header lies in what came")
        let own = Array(bytes.prefix(header.size))
        FuzzRun.require((try? ProxyHeader.read(own)) == .some(header), "what follows a header is not read")
        for count in 0..<min(header.size, 256) {
            do {
                let early = try ProxyHeader.read(own.prefix(count))
                FuzzRun.require(early == nil, "a header is not read before its end")
            } catch {
                FuzzRun.require(false, "a header that has not come yet is waited for: \(count) bytes")
            }
        }
    }
}
