import FaultInjection
import Logging
import NIOPosix
import Testing
import ValiseFiles

@testable import ValiseRelay

struct RelayServiceTests {
    @Test func `threads end, also when the counters cannot be kept`() async throws {
        let folder = try TemporaryFolder("valise-relay", inMemory: true)
        var settings = ChunkStoreSettings(
            folder: folder.appending("files"), log: nil, statistics: folder.appending("other/statistics"))
        settings.clock = { 1_700_000_000 }
        let store = try ChunkStore(settings)
        let lines = CapturedLog.Lines()
        let service = RelayService(
            limits: RelayLimits(),
            executor: CommandExecutor(store: store, acceptsNewFiles: true, password: nil),
            logger: Logger(label: "test") { _ in CapturedLog(lines) })
        try FileSystem().makeDirectory(folder.appending("other/statistics"))
        await service.close()
        #expect(lines.all.count == 1 && lines.all[0].contains("cannot save the counters"), "\(lines.all)")
        await #expect(throws: (any Error).self) { try await service.threads.runIfActive {} }
    }
}
