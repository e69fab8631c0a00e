import Fuzzing
import ValiseSecrets

@testable import ValiseXFTPWire

/// A relay's side over one connection: any requests, one after the other.
enum SessionTarget {
    private static let sessionID = [UInt8](repeating: UInt8(ascii: "S"), count: 32)
    private static let identity = RelayIdentity(
        certificates: [[1], [2]], fingerprint: [UInt8](repeating: UInt8(ascii: "F"), count: 32), .ed25519
    ) { _ in [UInt8](repeating: 0, count: 64) }
    private static let key = try? SecretSeed(copying: [UInt8](repeating: 5, count: 32))

    /// A byte for the mode; then for each request one for its headers, two for the length of its message, and that. The
    /// longest length stands for an empty body.
    static func relay(_ bytes: [UInt8]) {
        guard let mode = bytes.first, let key else { return }
        let modes: [RelaySession.Mode] = [.native, .web, .legacy]
        var session = RelaySession(identity, sessionID: sessionID, mode: modes[Int(mode) % 3]) { key }
        var rest = bytes.dropFirst()
        while rest.count >= 3 {
            let headers = rest.removeFirst()
            let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
            let message = Array(rest.prefix(length))
            rest = rest.dropFirst(length == 0xFFFF ? 0 : length)
            let head = length == 0xFFFF ? [] : (try? XFTPBlock.pad(message)) ?? message
            let action = try? session.receive(
                .init(head: head, hasHelloHeader: headers & 1 != 0, hasHandshakeHeader: headers & 2 != 0))
            guard let action else { return FuzzRun.require(false, "a request is answered") }
            check(action, session)
        }
    }

    private static func check(_ action: RelaySession.Action, _ session: RelaySession) {
        switch action {
        case .respond(let block):
            FuzzRun.require(block.isEmpty || block.count == XFTPBlock.size, "an answer is a block")
        case .command(let request):
            FuzzRun.require(session.version != nil, "commands come behind the handshake")
            let isNameless = request.entityID == nil
            switch request.command {
            case .create: FuzzRun.require(isNameless && !request.authenticator.isEmpty, "FNEW is signed")
            case .ping: FuzzRun.require(isNameless && request.authenticator.isEmpty, "PING is not")
            default: FuzzRun.require(!isNameless && !request.authenticator.isEmpty, "others have both")
            }
            FuzzRun.require(!session.verify(request, key: nil), "a name that there is not is refused")
            for algorithm in PublicKey.Algorithm.allCases {
                // Signatures by these keys nobody can make.
                let key = PublicKey(algorithm, [UInt8](repeating: 9, count: algorithm.byteCount))
                _ = session.verify(request, key: key)
            }
            let answer = session.answer(.error(.blocked(BlockingInfo(.spam))), to: request)
            let transmission = try? Transmission(block: answer)
            FuzzRun.require(
                transmission?.entityID == request.entityID?.bytes ?? []
                    && transmission?.correlationID == request.correlationID,
                "an answer repeats correlation and name")
        }
    }
}
