public import ArgumentParser
public import Valise

extension MediaKind: ExpressibleByArgument {}
extension TransferProtocol: ExpressibleByArgument {}
